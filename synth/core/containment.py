"""What code raises on one item costs that item alone: it is left out, named, and the run goes on.

Readers, transforms, writers, filters and metrics meet text that nobody has thought of, and other packages bring their
own. Whoever calls them for one document, row or sentence does so inside `contained`. Errors that are meant for people
(a setting, a budget, an endpoint), a library that is missing, a disk that is full, and Ctrl-C go through.
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

from synth.core.errors import Passing, SynthError

_LONGEST = 200
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_THROUGH = (SynthError, Passing, sqlite3.Error, ImportError)
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EMFILE, errno.ENFILE})


@dataclass(frozen=True, slots=True)
class Contained:
    """An item that was left out: `part` is what failed on it ("transform 'topics'"), `error` what was raised."""

    part: str
    item: str
    error: str

    def packed(self) -> dict[str, str]:
        return asdict(self)


_FOUND: ContextVar[dict[tuple[str, str], Contained] | None] = ContextVar("contained", default=None)


@contextmanager
def collecting() -> Iterator[Callable[[], tuple[Contained, ...]]]:
    """Gives what is contained inside, in order; of one item the same error once, whichever part met it first."""
    found: dict[tuple[str, str], Contained] = {}
    token = _FOUND.set(found)
    try:
        yield lambda: tuple(found.values())
    finally:
        _FOUND.reset(token)


def contained_so_far() -> tuple[Contained, ...]:
    """What was contained inside the `collecting` that is open; nothing where none is."""
    return tuple((_FOUND.get() or {}).values())


class contained:
    """A block that whatever code for one item raises ends, and nothing more.

    `error` is then what was raised, else ""; it is told to `collecting` too. With `named` False it is not: for a first
    try, before it is known which item was too much.
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
        self.error = _told(error)
        found = _FOUND.get()
        if self.named and found is not None:
            found.setdefault((self.item, self.error), Contained(self.part, self.item, self.error))
        return True


def _told(error: Exception) -> str:
    """An error on one line, with the place in the code; without what differs from run to run."""
    try:
        said = " ".join(str(error).split())[:_LONGEST]
    except Exception:  # an error that cannot be printed is one all the same
        said = ""
    said = _ADDRESS.sub("", said).encode("utf-8", "backslashreplace").decode("utf-8")
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}"
