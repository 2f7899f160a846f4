"""Containment of errors: an exception on one item is recorded and skips only that item.

Readers, transforms, writers, filters and metrics meet unexpected text, and plugins bring their own code. Such code is
called inside `contained` for one document, row or sentence. `collecting` lists the skipped items. Outside a
`collecting` block, only `contained.error` reports the exception.

Some exceptions are not caught, because they concern more than one item. They are SynthError, ExpectedFailure, a missing
library, errors of SQLite and Ctrl-C. OSError is not caught when a disk cannot be written or too many files are open.
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
"""`errno` values of problems that would stop every other item too, such as a full disk."""


@dataclass(frozen=True, slots=True)
class ItemError:
    """Item that was skipped because of an error.

    `part` names the component that failed, such as "transform 'topics'". `item` names the item, such as "row q-1".
    `error` is the exception on one line.
    """

    part: str
    item: str
    error: str

    def packed(self) -> dict[str, str]:
        """Return the fields as a dict."""
        return asdict(self)


_RECORDS: ContextVar[dict[tuple[str, str], ItemError] | None] = ContextVar("contained", default=None)


@contextmanager
def collecting() -> Iterator[Callable[[], tuple[ItemError, ...]]]:
    """Record the items that are skipped inside the block.

    Yields a function that returns the items skipped so far, in order.

    If several components raise the same error on one item, only the first is recorded.
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
    """Return an exception on one line, with the place in the code where it was raised, except for UnfitItem.

    Memory addresses are removed, because they differ between runs.
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
