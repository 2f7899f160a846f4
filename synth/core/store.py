"""Store of artifacts, replies and runs, each under a hash of its inputs."""

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
    """Thread-safe key-value storage of bytes under a kind and a key; the part of a store that other code needs."""

    def get(self, kind: str, key: str) -> bytes | None: ...

    def put(self, kind: str, key: str, value: bytes) -> None: ...


class BatchCache(Cache, Protocol):
    """A cache that can store many values in one transaction."""

    def put_all(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None: ...


def database(
    path: Path, schema: str, version: int, name: str, instead: str, *, synchronous: str = "NORMAL"
) -> sqlite3.Connection:
    """Open the SQLite database `path`, with the tables of `schema`, for several threads and processes.

    `name` and `instead` go into the message of the InputError raised when the file cannot be opened, is not a
    database, or has a schema newer than `version`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={synchronous}")
        (current,) = connection.execute("PRAGMA user_version").fetchone()
        if current > version:
            raise InputError(
                f"{name} has schema {current}, this synth knows {version}: update synth, or name {instead}"
            )
        connection.executescript(schema)
        connection.execute(f"PRAGMA user_version={version}")
    except (sqlite3.Error, OSError) as error:
        raise InputError(f"{name} cannot be opened: {error}; name {instead}") from error
    return connection


class Store:
    """A content-addressed store in one SQLite file, safe to share between processes and threads.

    A value is written once under (`kind`, `key`) and never changed: the key is a hash of all inputs of the value.
    Every `put` outside `batch` is durable when it returns.

    Raises InputError when the file cannot be opened, is not a store, or has a newer schema.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        # One connection must not be used by two threads at once.
        self._lock = threading.RLock()
        name, instead = f"the store {self.path}", "another folder with --workspace"
        self._db = database(self.path, _SCHEMA, SCHEMA_VERSION, name, instead)

    def get(self, kind: str, key: str) -> bytes | None:
        """The value under (`kind`, `key`), or None."""
        with self._lock:
            row = self._db.execute("SELECT value FROM artifacts WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Store `value` under (`kind`, `key`) unless there is a value already."""
        row = (kind, key, zlib.compress(value, 3))
        with self._lock:
            self._db.execute("INSERT OR IGNORE INTO artifacts (kind, key, value) VALUES (?, ?, ?)", row)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make the writes inside the block one transaction, rolled back when an exception leaves the block."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def put_all(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None:
        """Store many values of one kind in one transaction."""
        with self.batch():
            for key, value in items:
                self.put(kind, key, value)

    def values(self, kind: str) -> Iterator[bytes]:
        """All values of a kind, in order of their keys."""
        with self._lock:
            rows = self._db.execute("SELECT value FROM artifacts WHERE kind = ? ORDER BY key", (kind,)).fetchall()
        return (zlib.decompress(value) for (value,) in rows)

    def count(self, kind: str) -> int:
        """Number of values of a kind."""
        with self._lock:
            (number,) = self._db.execute("SELECT COUNT(*) FROM artifacts WHERE kind = ?", (kind,)).fetchone()
        return int(number)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
