"""Files that replace others: written beside them, checked, and swapped together.

After a crash, kill -9 included, all files of a group are new or all are old. Each new file is written in full beside
the one that it replaces. A journal beside the last file of the group then names all of them: the group counts as
replaced from the moment at which the journal has its name. `settle` finishes what a journal names, and whoever opens
the last file calls it first.

`together` makes one group of all files that a block replaces. A journal names files of its own folder alone: those that
the user put elsewhere are renamed just before.
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
    """A file of a group: `part` is the name of its new content beside it, "" for a file to remove."""

    path: Path
    part: str

    def carry_out(self) -> None:
        """Rename or remove. What another process did already is done."""
        real = _real(self.path)
        with suppress(FileNotFoundError):
            if self.part:
                os.replace(real.with_name(self.part), real)
            else:
                os.unlink(real)


@dataclass(slots=True)
class Swap:
    """A group of files that are replaced together when its block ends without an exception.

    The last file written is the one under whose name the others are found. A symbolic link is followed; a device or a
    pipe is written to directly, and "-" is standard output.
    """

    main: Path | None = None
    """The file that counts as the last one, if it is among those written."""
    _changes: list[_Change] = field(default_factory=list)

    def write(self, path: Path, content: str | bytes) -> None:
        """Have `content`, text in UTF-8, replace the file `path`; half of a surrogate pair is written as JSON does."""
        with self.open(path) as target:
            target.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)

    def remove(self, path: Path) -> None:
        """Have the file `path` removed, if it is there."""
        self._changes.insert(0, _Change(path, ""))

    @contextmanager
    def open(self, path: Path) -> Iterator[IO[bytes]]:
        """Open a binary file whose content replaces `path`. Raises InputError when it cannot be written."""
        if path.parts[:1] and path.parts[0].removesuffix(":") in LIBRARIES and path.parts[0].endswith(":"):
            raise InputError(
                f"only generate writes to an address such as {path.parts[0]}//; name a file of this machine"
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
            # A new file is for its owner alone; one that is replaced keeps its rights.
            if real.exists():
                os.chmod(name, stat.S_IMODE(real.stat().st_mode))
            if os.path.getsize(name) != size:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    def carry_out(self) -> None:
        """Swap the files."""
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
                    settle(main)  # of another process, alive or not
            finally:
                Path(name).unlink(missing_ok=True)
            _synced(folder)
            settle(main)

    @property
    def _last(self) -> _Change:
        """The change of the file under whose name the others are found."""
        return next((change for change in self._changes if change.path == self.main), self._changes[-1])

    def give_up(self) -> None:
        """Remove the new files that did not replace any."""
        for change in self._changes:
            if change.part:
                with suppress(OSError):
                    _real(change.path).with_name(change.part).unlink(missing_ok=True)


@contextmanager
def swap() -> Iterator[Swap]:
    """Replace files together when the block ends without an exception, or that of `together` around it.

    Raises InputError when one of them cannot be written; then none is replaced.
    """
    if (around := _AROUND.get()) is not None:
        yield around
        return
    group = Swap()
    try:
        yield group
        group.carry_out()
    finally:
        # A journal that has its name is finished by whoever opens its file, and needs the new files for that.
        if not (group._changes and _journal(group._last.path).exists()):
            group.give_up()


_AROUND: ContextVar[Swap | None] = ContextVar("around", default=None)


@contextmanager
def together(main: Path | None = None) -> Iterator[None]:
    """Replace all files that the block writes, by any `swap` in it, together when it ends without an exception.

    `main` is the file under whose name the others are found, by default the last one. Raises as `swap` does.
    """
    with swap() as group:
        group.main = group.main or main
        reset = _AROUND.set(group)
        try:
            yield
        finally:
            _AROUND.reset(reset)


def settle(path: Path) -> None:
    """Finish the swap of the group of `path` that a process began before it died, if there is one.

    The journal may come from a stranger, so it names files of its own folder and nothing else. Raises InputError when
    the files cannot be swapped.
    """
    if not path.name:
        return
    journal = enclosed(_journal(path))
    try:
        content = small_file(journal)
    except (OSError, ValueError):  # usually there is none
        return
    changes = _changes(content, path)
    if changes is None:
        raise InputError(f"{journal} is no journal that synth wrote; remove it")
    with _reported(path):
        for change in changes:
            change.carry_out()
        _synced(path.parent)
        journal.unlink(missing_ok=True)


def _changes(journal: bytes, main: Path) -> list[_Change] | None:
    """The changes of the journal of `main`; None when it is malformed, or names a file outside of the folder.

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
    """Whether the system can have a file of this name."""
    with suppress(UnicodeEncodeError):
        return b"\0" not in os.fsencode(name)
    return False


def _is_inside(path: Path, main: Path, *, replaced: bool) -> bool:
    """Whether a file, to be replaced or else removed, is in the folder of `main`. That one may be a link out of it."""
    target = os.path.realpath(path.parent if path == main and replaced else path)
    return Path(target).is_relative_to(os.path.realpath(main.parent)) and path.name not in ("", "..")


def _named(file: str, journal: Path) -> bool:
    """Give a file the name of a journal; False when there is one."""
    try:
        os.link(file, journal)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        os.replace(file, journal)
    return True


def _journal(path: Path) -> Path:
    return path.with_name(f".{path.name}{_JOURNAL}")


def _real(path: Path) -> Path:
    """The file that is replaced: the target of a link."""
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
    """Return whether `path` is "-", a device or a pipe. Raises InputError for a disk or a socket."""
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
    """Flush `target` to the disk; devices, pipes and some network file systems have no sync."""
    target.flush()
    try:
        os.fsync(target.fileno())
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def _synced(folder: Path) -> None:
    """Have the renames in a folder outlive the power, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
