"""Reading of small files that the user names: keys, settings, briefs, prompts."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MOST = 10_000_000
"""Bytes of a small file, unless a caller allows fewer."""


def small_file(path: Path, most: int = MOST) -> bytes:
    """The bytes of a file of at most `most` bytes.

    Raises OSError with a message when it cannot be read, is larger, or is a device, a pipe or a folder.
    """
    # A pipe without a writer would have the opening wait.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "it is a device, a pipe or a folder; name a file")
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(0, f"it has over {most:,} bytes")
    return data


def small_text(path: Path, most: int = MOST) -> str:
    """The text (UTF-8, with or without a byte order mark) of a small file. Raises UnicodeDecodeError for other text."""
    return small_file(path, most).decode("utf-8-sig")
