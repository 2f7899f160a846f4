"""Reading of small files that the user names: keys, settings, briefs, prompts."""

from __future__ import annotations

from pathlib import Path

from synth.core.input_files import open_file

MOST = 10_000_000
"""Bytes of a small file, unless a caller allows fewer."""


def small_file(path: Path, most: int = MOST) -> bytes:
    """The bytes of a file of at most `most` bytes.

    Raises OSError with a message when it cannot be read, is larger, or is a device, a pipe or a folder.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(0, f"it has over {most:,} bytes")
    return data


def small_text(path: Path, most: int = MOST) -> str:
    """The text (UTF-8, with or without a byte order mark) of a small file. Raises UnicodeDecodeError for other text."""
    return small_file(path, most).decode("utf-8-sig")
