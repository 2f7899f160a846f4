"""What has been made is kept: artifacts, replies and runs, found again by the hash of their making."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Protocol

from synth.core.errors import InputError

STORE = "synth.sqlite"
"""File name of the store in a workspace."""

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS artifacts (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
"""


class Cache(Protocol):
    """What parts need of a store: a place that keeps bytes under a kind and a key, for several threads."""

    def get(self, kind: str, key: str) -> bytes | None: ...

    def put(self, kind: str, key: str, value: bytes) -> None: ...


class BatchCache(Cache, Protocol):
    """A cache that keeps many values in one go."""

    def put_all(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None: ...


def database(
    path: Path, schema: str, version: int, name: str, instead: str, *, synchronous: str = "NORMAL"
) -> sqlite3.Connection:
    """The SQLite database of a file, for several threads and processes, with the tables of `schema`.

    Raises InputError, which calls it `name` and says to name `instead`, when the file cannot be opened, is no
    database, or has a schema newer than `version`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        found.execute("PRAGMA journal_mode=WAL")
        found.execute(f"PRAGMA synchronous={synchronous}")
        (held,) = found.execute("PRAGMA user_version").fetchone()
        if held > version:
            raise InputError(f"{name} has schema {held}, this synth knows {version}: update synth, or name {instead}")
        found.executescript(schema)
        found.execute(f"PRAGMA user_version={version}")
    except (sqlite3.Error, OSError) as error:
        raise InputError(f"{name} cannot be opened: {error}; name {instead}") from error
    return found


class Store:
    """A content-addressed store in one SQLite file, safe to share between processes and threads.

    A value is written once under (`kind`, `key`) and never changed: the key is a hash of all that
    the value was made from. Every `put` is durable when it returns, unless it is inside `batch`.

    Raises InputError when the file cannot be opened, is not a store, or has a newer schema.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        # One connection must not be used by two threads at once, whatever SQLite itself would bear.
        self._lock = threading.RLock()
        name, instead = f"the store {self.path}", "another folder with --workspace"
        self._db = database(self.path, _SCHEMA, SCHEMA_VERSION, name, instead)

    def get(self, kind: str, key: str) -> bytes | None:
        """The value kept under (`kind`, `key`), or None."""
        with self._lock:
            row = self._db.execute("SELECT value FROM artifacts WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Keep `value` under (`kind`, `key`); the first value kept stays."""
        row = (kind, key, zlib.compress(value, 3))
        with self._lock:
            self._db.execute("INSERT OR IGNORE INTO artifacts (kind, key, value) VALUES (?, ?, ?)", row)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Writes inside are made together: all of them, or none when an exception leaves the block."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def put_all(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None:
        """Keep many values of one kind in one transaction."""
        with self.batch():
            for key, value in items:
                self.put(kind, key, value)

    def values(self, kind: str) -> Iterator[bytes]:
        """All values of a kind, in the order of their keys."""
        with self._lock:
            rows = self._db.execute("SELECT value FROM artifacts WHERE kind = ? ORDER BY key", (kind,)).fetchall()
        return (zlib.decompress(value) for (value,) in rows)

    def count(self, kind: str) -> int:
        """How many values of a kind are kept."""
        with self._lock:
            (found,) = self._db.execute("SELECT COUNT(*) FROM artifacts WHERE kind = ?", (kind,)).fetchone()
        return int(found)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
