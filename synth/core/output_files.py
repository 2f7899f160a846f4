"""Checks of output paths before any work is done for them."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from synth.core.errors import ConfigError
from synth.core.swapping import is_stream

LEAST_FREE = 1_000_000
"""Minimum free space, in bytes, on the disk where a file is written."""


def check_output(path: Path) -> None:
    """Raise ConfigError if no file can be written at `path`.

    The reason can be a folder of that name, missing permissions or a full disk. Folders that do not exist yet are
    accepted, because they are created when the file is written. Raises InputError for a disk or a socket.
    """
    if is_stream(path):
        return
    if path.name in ("", "..") or path.is_dir():
        raise ConfigError(f"{path} is a folder; name a file in it")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir():
        raise ConfigError(f"cannot write {path}: {folder} is a file, not a folder; name another path")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigError(
            f"cannot write {path}: no file can be created in {folder}: {error.strerror or error}; name another path"
        ) from error
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise ConfigError(f"cannot write {path}: only {free:,} bytes are free on the disk of {folder}; make room")
