"""Files that are to be written, checked before any work is done for them."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from synth.core.errors import ConfigError
from synth.core.swapping import is_stream

LEAST_FREE = 1_000_000
"""Bytes that must be free where a file is written."""


def check_output(path: Path) -> None:
    """Raise ConfigError where no file can be written at `path`: a folder, a folder without rights, a full disk.

    Folders that do not exist yet are made when the file is written.
    """
    if is_stream(path):
        return
    if path.name in ("", "..") or path.is_dir():
        raise ConfigError(f"{path} is a folder; name a file in it")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir():
        raise ConfigError(f"cannot write {path}: {folder} is a file and no folder")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigError(f"cannot write {path}: no file can be made in {folder}: {error.strerror or error}") from error
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise ConfigError(f"cannot write {path}: only {free:,} bytes are free on the disk of {folder}")
