"""Containment of errors: an exception on one item skips that item, is recorded, and the run goes on.

Readers, transforms, writers, filters and metrics meet unexpected text, and plugins bring their own code. They are
called inside `contained` for one document, row or sentence. Outside a `collecting` block, only `contained.error`
reports the exception.

Errors meant for the user pass through: a setting, a budget, an endpoint. So do expected failures, a missing library and
errors of the store. A disk that cannot be written, too many open files and Ctrl-C pass through too.
"""

from __future__ import annotations

import errno
import re
import sqlite3
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

from synth.core.errors import ExpectedFailure, SynthError, UnfitItem

_MAX_MESSAGE = 200
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_THROUGH = (SynthError, ExpectedFailure, sqlite3.Error, ImportError)
_MACHINE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EMFILE, errno.ENFILE})
"""Error numbers of problems of the machine, such as a full disk, which every further item would meet too."""


@dataclass(frozen=True, slots=True)
class ItemError:
    """An item that was skipped because of an error.

    `part` is the part that failed on the item, such as "transform 'topics'". `error` is the exception on one line.
    """

    part: str
    item: str
    error: str

    def packed(self) -> dict[str, str]:
        """Return the fields by name."""
        return asdict(self)


_RECORDS: ContextVar[dict[tuple[str, str], ItemError] | None] = ContextVar("contained", default=None)


@contextmanager
def collecting() -> Iterator[Callable[[], tuple[ItemError, ...]]]:
    """Record the items that are skipped inside this block. Yields a function that returns them in order.

    The same error on one item is recorded once, for the first part that raised it.
    """
    records: dict[tuple[str, str], ItemError] = {}
    token = _RECORDS.set(records)
    try:
        yield lambda: tuple(records.values())
    finally:
        _RECORDS.reset(token)


def contained_so_far() -> tuple[ItemError, ...]:
    """Return the items skipped so far inside the open `collecting` block; empty outside such a block."""
    return tuple((_RECORDS.get() or {}).values())


class contained:
    """Context manager around the code for one item: an exception ends the block, not the run.

    `error` is the exception on one line, with type, message and place, or "" if there was none. The item is recorded in
    the open `collecting` block, if any. Set `recorded` to False if the caller reports the item or tries again.
    """

    def __init__(self, part: str, item: str, *, recorded: bool = True) -> None:
        self.part, self.item, self.recorded, self.error = part, item, recorded, ""

    def __enter__(self) -> contained:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, _THROUGH):
            return False
        if isinstance(error, OSError) and error.errno in _MACHINE:
            return False
        self.error = _one_line(error)
        records = _RECORDS.get()
        if self.recorded and records is not None:
            records.setdefault((self.item, self.error), ItemError(self.part, self.item, self.error))
        return True


def _one_line(error: Exception) -> str:
    """Return an error on one line, with its place in the code unless a rule raised it.

    Memory addresses are removed, because they differ from run to run.
    """
    try:
        message = " ".join(str(error).split())[:_MAX_MESSAGE]
    except Exception:  # the error's own __str__ may fail
        message = ""
    message = _ADDRESS.sub("", message).encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(error, UnfitItem):
        return message
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if message else ''}{message}{place}"
