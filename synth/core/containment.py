"""Containment of errors: an exception on one item leaves that item out, records it, and lets the run go on.

Readers, transforms, writers, filters and metrics meet unexpected text, and plug-ins bring code of their own. They are
called for one document, row or sentence inside `contained`. Errors meant for the user (a setting, a budget, an
endpoint), a missing library, a full disk and Ctrl-C pass through.
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

from synth.core.errors import ExpectedFailure, SynthError

_MAX_MESSAGE = 200
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_THROUGH = (SynthError, ExpectedFailure, sqlite3.Error, ImportError)
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EMFILE, errno.ENFILE})


@dataclass(frozen=True, slots=True)
class Contained:
    """An item that was left out, the `part` that failed on it ("transform 'topics'"), and the `error` it raised."""

    part: str
    item: str
    error: str

    def packed(self) -> dict[str, str]:
        return asdict(self)


_RECORDS: ContextVar[dict[tuple[str, str], Contained] | None] = ContextVar("contained", default=None)


@contextmanager
def collecting() -> Iterator[Callable[[], tuple[Contained, ...]]]:
    """Record the items left out inside this block; yields a function that returns them in order.

    The same error on one item is recorded once, for the first part that raised it.
    """
    records: dict[tuple[str, str], Contained] = {}
    token = _RECORDS.set(records)
    try:
        yield lambda: tuple(records.values())
    finally:
        _RECORDS.reset(token)


def contained_so_far() -> tuple[Contained, ...]:
    """Items left out so far inside the open `collecting` block; empty outside of one."""
    return tuple((_RECORDS.get() or {}).values())


class contained:
    """Context manager around the code for one item: an exception ends the block, not the run.

    `error` is the message of that exception, else "". It is recorded with `collecting` unless `named` is False, which
    is for a first try on several items at once.
    """

    def __init__(self, part: str, item: str, *, named: bool = True) -> None:
        self.part, self.item, self.named, self.error = part, item, named, ""

    def __enter__(self) -> contained:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, _THROUGH):
            return False
        if isinstance(error, OSError) and error.errno in _DISK:
            return False
        self.error = _one_line(error)
        records = _RECORDS.get()
        if self.named and records is not None:
            records.setdefault((self.item, self.error), Contained(self.part, self.item, self.error))
        return True


def _one_line(error: Exception) -> str:
    """An error on one line with its place in the code, without memory addresses, which differ from run to run."""
    try:
        message = " ".join(str(error).split())[:_MAX_MESSAGE]
    except Exception:  # the error's own __str__ may fail
        message = ""
    message = _ADDRESS.sub("", message).encode("utf-8", "backslashreplace").decode("utf-8")
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if message else ''}{message}{place}"
