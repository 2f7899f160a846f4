"""Safe opening of files that others may have made: no devices, no sockets, no pipes without a writer.

A path that the user names may be a link to any file. Other files in the same folder may come from strangers. Pass their
paths through `enclosed`, which refuses links that lead out of the folder.
"""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path
from typing import BinaryIO

from synth.core.errors import InputError

_HANDED_OVER = ("/dev/fd/", "/dev/stdin", "/proc/")
_FIRST = 65536


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading. Raises OSError with a message for a device, a pipe, a socket or a folder."""
    file, mode = _opened(path)
    if stat.S_ISREG(mode):
        return file
    file.close()
    raise OSError(0, "it is a device, a pipe or a folder; name a file")


def bytes_of(path: Path) -> bytes:
    """Return the content of a file of any size. Raises OSError as `open_file` does."""
    with open_file(path) as file:
        return file.read()


def open_input(path: Path) -> BinaryIO:
    """Open a file that the user names, or a pipe that another process writes to, for reading.

    Raises OSError with a message for a device, a folder, or a pipe without a writer. Devices under /dev/fd, /dev/stdin
    or /proc are accepted.
    """
    file, mode = _opened(path)
    is_handed_over = str(path).startswith(_HANDED_OVER)
    if stat.S_ISREG(mode) or (is_handed_over and stat.S_ISCHR(mode)):
        return file
    if not stat.S_ISFIFO(mode):
        file.close()
        raise OSError(0, "it is a device or a folder; name a file")
    try:
        head = os.read(file.fileno(), _FIRST)
    except BlockingIOError:  # the writer has written nothing yet
        head = b""
    else:
        if not head and not is_handed_over:
            file.close()
            raise OSError(0, "it is a pipe without a writer; start the process that writes to it, or name a file")
    os.set_blocking(file.fileno(), True)
    return io.BufferedReader(_Headed(head, file))  # type: ignore[type-var]


def _opened(path: Path) -> tuple[BinaryIO, int]:
    # Without O_NONBLOCK, opening a pipe without a writer would block.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = open(path, "rb", opener=lambda name, _: os.open(name, flags))  # noqa: SIM115
    return file, os.fstat(file.fileno()).st_mode


class _Headed(io.RawIOBase):
    """Pipe whose first bytes have been read already. Reading returns them (`head`) again, then the rest."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)] or os.read(self._rest.fileno(), len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._rest.close()
        super().close()


def enclosed(path: Path, folder: Path | None = None) -> Path:
    """Return `path` after checking that it does not lead out of `folder`, by default the folder of `path`.

    Raises InputError when a link leads out of the folder, and for a device, a pipe or a socket. If nothing exists at
    `path`, it is returned unchecked.
    """
    home = os.path.realpath(folder or path.parent)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) or folder:
            if not Path(os.path.realpath(path)).is_relative_to(home):
                raise InputError(f"{path} is a link that leads out of its folder; replace it by a copy of the file")
            mode = path.stat().st_mode
    except (OSError, ValueError):  # usually there is no such file
        return path
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError(f"{path} is a device or a pipe, but synth expects a file of the set there; remove it")
    return path
