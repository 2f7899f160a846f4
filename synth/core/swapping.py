"""Atomic replacement of files: new files are written beside the old ones, checked, and swapped in together.

After a crash or kill -9, either all files of a group are new or all are old. Each new file is first written in full
beside the file that it replaces. Then a journal lists all files of the group. The journal is named after the main file,
by default the last file written. Once the journal exists, the group counts as replaced. `settle` finishes a swap that a
journal lists. Call `settle` before opening a main file.

`together` makes one group of all files that a block replaces. A journal lists only files in its own folder. Files in
other folders are renamed just before the journal is written.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from synth.core import interruption
from synth.core.addresses import LIBRARIES
from synth.core.errors import InputError
from synth.core.input_files import enclosed
from synth.core.small_file import small_file

_NO_SYNC = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.ENOTTY})
_PART, _JOURNAL = ".part", ".swap"


@dataclass(frozen=True, slots=True)
class _Change:
    """File of a group that is replaced or removed.

    `part` is the name of a file in the same folder with the new content, or "" to remove the file.
    """

    path: Path
    part: str

    def carry_out(self) -> None:
        """Rename or remove the file, unless another process has already done so."""
        real = _real(self.path)
        with suppress(FileNotFoundError):
            if self.part:
                os.replace(real.with_name(self.part), real)
            else:
                os.unlink(real)


@dataclass(slots=True)
class Swap:
    """Group of files that are replaced together when the block of `swap` ends without an exception.

    The journal is named after the main file, by default the last file written. A symbolic link is followed. A device or
    a pipe is written to directly. "-" is standard output.
    """

    main: Path | None = None
    """Main file. If it is None or is not written, the last file written is the main file."""
    _changes: list[_Change] = field(default_factory=list)

    def write(self, path: Path, content: str | bytes) -> None:
        """Replace the file `path` by `content` when the group is swapped.

        Text is encoded as UTF-8. A half of a surrogate pair is written as an escape, as in JSON.
        """
        with self.open(path) as target:
            target.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)

    def remove(self, path: Path) -> None:
        """Remove the file `path`, if it exists, when the group is swapped."""
        self._changes.insert(0, _Change(path, ""))

    @contextmanager
    def open(self, path: Path) -> Iterator[IO[bytes]]:
        """Open a binary file whose content replaces `path` when the group is swapped.

        Raises InputError when `path` cannot be written.
        """
        if path.parts[:1] and path.parts[0].removesuffix(":") in LIBRARIES and path.parts[0].endswith(":"):
            raise InputError(
                f"only the command generate can write to an address such as {path.parts[0]}//; name a local file"
            )
        with _reported(path):
            if is_stream(path):
                with os.fdopen(_opened(path), "wb") as target:
                    yield target
                    _flushed(target)
                return
            real = _real(path)
            if real.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            real.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=_PART)
            self._changes.append(_Change(path, Path(name).name))
            with os.fdopen(handle, "wb") as target:
                yield target
                _flushed(target)
                size = target.tell()
            # A new file is readable by its owner only; a replaced file keeps its permissions.
            if real.exists():
                os.chmod(name, stat.S_IMODE(real.stat().st_mode))
            if os.path.getsize(name) != size:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    def carry_out(self) -> None:
        """Swap the files of the group. Raises InputError when a file cannot be written."""
        if not self._changes:
            return
        main = self._last.path
        folder = main.parent
        with _reported(main), interruption.held():
            for change in self._changes:
                settle(change.path)
            entries = []
            for change in sorted(self._changes, key=lambda change: change.path == main):
                name = os.path.relpath(change.path, folder)
                is_inside = _is_inside(folder / name, main, replaced=bool(change.part))
                if is_inside and len(self._changes) > 1:
                    entries.append([name, change.part])
                else:
                    change.carry_out()
            if not entries:
                return
            handle, name = tempfile.mkstemp(dir=folder, prefix=f".{main.name}.", suffix=_PART)
            try:
                with os.fdopen(handle, "wb") as target:
                    target.write(json.dumps(entries).encode())
                    _flushed(target)
                while not _named(name, _journal(main)):
                    settle(main)  # the journal of another process, which may have died
            finally:
                Path(name).unlink(missing_ok=True)
            _synced(folder)
            settle(main)

    @property
    def _last(self) -> _Change:
        """Change of the main file of the group. It is carried out last."""
        return next((change for change in self._changes if change.path == self.main), self._changes[-1])

    def give_up(self) -> None:
        """Delete the new files that have not replaced a file."""
        for change in self._changes:
            if change.part:
                with suppress(OSError):
                    _real(change.path).with_name(change.part).unlink(missing_ok=True)


@contextmanager
def swap() -> Iterator[Swap]:
    """Replace files together when the block ends without an exception.

    Inside a `together` block, the files are replaced when that block ends. Raises InputError when a file cannot be
    written; then no file is replaced.
    """
    if (around := _AROUND.get()) is not None:
        yield around
        return
    group = Swap()
    try:
        yield group
        group.carry_out()
    finally:
        # If the journal exists, the next process that opens the main file finishes the swap with the new files.
        if not (group._changes and _journal(group._last.path).exists()):
            group.give_up()


_AROUND: ContextVar[Swap | None] = ContextVar("around", default=None)


@contextmanager
def together(main: Path | None = None) -> Iterator[None]:
    """Replace all files that any `swap` inside the block writes, together, when the block ends without an exception.

    `main` is the main file of the group, by default the last file written. Raises InputError as `swap` does.
    """
    with swap() as group:
        group.main = group.main or main
        reset = _AROUND.set(group)
        try:
            yield
        finally:
            _AROUND.reset(reset)


def settle(path: Path) -> None:
    """Finish the swap of the group with the main file `path`, if an earlier process died during the swap.

    The journal may come from a stranger, so only files in its own folder are accepted. Raises InputError when the
    journal is invalid or the files cannot be swapped.
    """
    if not path.name:
        return
    journal = enclosed(_journal(path))
    try:
        content = small_file(journal)
    except (OSError, ValueError):  # usually there is no journal
        return
    changes = _changes(content, path)
    if changes is None:
        raise InputError(f"{journal} is not a journal written by synth; remove it")
    with _reported(path):
        for change in changes:
            change.carry_out()
        _synced(path.parent)
        journal.unlink(missing_ok=True)


def _changes(journal: bytes, main: Path) -> list[_Change] | None:
    """Return the changes in the journal of `main`; None if it is malformed or names a file outside the folder.

    Only `main` itself, which the user named, may be a link to another folder.
    """
    folder = main.parent
    try:
        entries = json.loads(journal)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entries, list):
        return None
    changes = []
    for entry in entries:
        if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(name, str) for name in entry)):
            return None
        name, part = entry
        if not _can_be_named(name + part):
            return None
        path = folder / name
        is_inside = _is_inside(path, main, replaced=bool(part))
        if not is_inside or (part and (Path(part).name != part or not part.endswith(_PART))):
            return None
        changes.append(_Change(path, part))
    return changes


def _can_be_named(name: str) -> bool:
    """Whether the system allows a file of this name."""
    with suppress(UnicodeEncodeError):
        return b"\0" not in os.fsencode(name)
    return False


def _is_inside(path: Path, main: Path, *, replaced: bool) -> bool:
    """Whether a file is in the folder of `main`. If `main` itself is to be replaced, it may link to another folder."""
    target = os.path.realpath(path.parent if path == main and replaced else path)
    return Path(target).is_relative_to(os.path.realpath(main.parent)) and path.name not in ("", "..")


def _named(file: str, journal: Path) -> bool:
    """Rename `file` to `journal`. Return False if the journal already exists."""
    try:
        os.link(file, journal)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        os.replace(file, journal)
    return True


def _journal(path: Path) -> Path:
    return path.with_name(f".{path.name}{_JOURNAL}")


def _real(path: Path) -> Path:
    """Return the file to replace: the target if `path` is a link."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def is_stream(path: Path) -> bool:
    """Return whether `path` is "-", a device or a pipe.

    Raises InputError for a disk or a socket, or when the path cannot be examined.
    """
    if str(path) == "-" or str(path).startswith(("/dev/fd/", "/dev/std", "/proc/")):
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise InputError(f"cannot write {path}: it is a {'disk' if stat.S_ISBLK(mode) else 'socket'}; name a file")
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _opened(path: Path) -> int:
    if str(path) != "-":
        return os.open(path, os.O_WRONLY)
    sys.stdout.flush()
    return os.dup(1)


def _flushed(target: IO[Any]) -> None:
    """Flush `target` to the disk.

    The error is ignored for devices, pipes and network file systems that do not support this.
    """
    target.flush()
    try:
        os.fsync(target.fileno())
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def _synced(folder: Path) -> None:
    """Make the renames in a folder survive a power failure, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
