"""Leases of requests: if another process is sending a request, wait for its reply instead of paying twice.

A lease is a lock on one byte of a file beside the store. The hash of the request selects the byte. The system releases
the lock when the process ends, even if it is killed. So a lease needs no expiry time.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 1.0
_PLACES = 2**62
"""Number of bytes that can be locked. None of them is ever written."""

Sleep = Callable[[float], Awaitable[object]]


class Leases(Protocol):
    """Leases that grant each request to one process at a time."""

    def take(self, key: str) -> bool:
        """Take the lease of a request. Return False if another process has the lease."""
        ...

    def give_back(self, key: str) -> None: ...

    def close(self) -> None: ...


class NoLeases:
    """Leases that grant every request, for a cache that no other process uses."""

    def take(self, key: str) -> bool:
        return True

    def give_back(self, key: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class FileLeases:
    """Leases by locks on the file `path`. Every request is granted if the system or the disk does not support locks.

    The locks do not exclude callers in the same process. There, `Exchange` sends equal requests once.
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
    """Take the lease of a request for the block, after waiting for any other process that has the lease.

    The wait ends after `patience_s` seconds, because the other process may have been stopped with Ctrl-Z. Then the
    block runs without the lease.
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
