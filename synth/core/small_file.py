"""Reading of small files that the user names, such as keys, settings, briefs and prompts."""

from __future__ import annotations

from pathlib import Path

from synth.core.input_files import open_file

MOST = 10_000_000
"""Default maximum size of a small file, in bytes."""


def small_file(path: Path, most: int = MOST) -> bytes:
    """Return the content of a file of at most `most` bytes.

    Raises OSError with a message when the file is larger, cannot be read, or is a device, a pipe or a folder.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(0, f"it has over {most:,} bytes, the limit for such a file")
    return data


def small_text(path: Path, most: int = MOST) -> str:
    """Return the text of a small file in UTF-8, with or without a byte order mark.

    Raises OSError as `small_file` does, and UnicodeDecodeError when the file is not UTF-8.
    """
    return small_file(path, most).decode("utf-8-sig")
