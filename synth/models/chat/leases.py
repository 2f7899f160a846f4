"""Leases of requests: a request that another process is asking is waited for, and not paid twice.

A lease is a lock on one byte of a file beside the store, at the place that the request's hash gives. The system ends it
with the process, also one that is killed, so that there is no time after which it must be believed to be over.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 1.0
_PLACES = 2**62
"""Places in the file, none of which is ever written to."""

Sleep = Callable[[float], Awaitable[object]]


class Leases(Protocol):
    """Grants a request to one process at a time."""

    def take(self, key: str) -> bool:
        """Take the lease of a request; False when another process has it."""
        ...

    def give_back(self, key: str) -> None: ...

    def close(self) -> None: ...


class NoLeases:
    """Grants every request, for a cache that no other process has."""

    def take(self, key: str) -> bool:
        return True

    def give_back(self, key: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class FileLeases:
    """Leases by locks on the file `path`. Where the system or the disk has no such locks, every request is granted.

    Within one process they exclude nobody; there the exchange sends equal requests once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self, key: str) -> bool:
        try:
            import fcntl

            fcntl.lockf(self._opened(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
        except (BlockingIOError, PermissionError):
            return False
        except (ImportError, OSError):
            return True
        return True

    def give_back(self, key: str) -> None:
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.lockf(self._opened(), fcntl.LOCK_UN, 1, _place(key))

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _opened(self) -> int:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        return self._file


@asynccontextmanager
async def leased(leases: Leases, key: str, sleep: Sleep, patience_s: float) -> AsyncIterator[None]:
    """Hold the lease of a request inside the block, once no other process has it.

    A process that keeps it longer than `patience_s` seconds, such as one that was stopped with Ctrl-Z, is waited for no
    longer.
    """
    pause, waited, is_held = _FIRST_PAUSE_S, 0.0, leases.take(key)
    while not is_held and waited < patience_s:
        await sleep(pause)
        waited += pause
        pause = min(2 * pause, _LONGEST_PAUSE_S)
        is_held = leases.take(key)
    try:
        yield
    finally:
        if is_held:
            leases.give_back(key)


def _place(key: str) -> int:
    return int(key.rpartition(":")[2][:16], 16) % _PLACES
