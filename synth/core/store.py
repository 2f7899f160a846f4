"""What has been made is kept: artifacts, replies and runs, found again by the hash of their making."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from synth.core.errors import InputError

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS artifacts (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
"""


_INSERT = "INSERT OR IGNORE INTO artifacts (kind, key, value) VALUES (?, ?, ?)"
_ELSEWHERE = "another folder with --workspace"
_REPAIR = "synth doctor --repair keeps what can still be read"


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

    A new file is for its owner alone: it holds what people and documents say. Raises InputError, which calls it `name`
    and says to name `instead`, when the file cannot be opened, is no database, or has a schema newer than `version`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        found = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        found.execute("PRAGMA journal_mode=WAL")
        found.execute(f"PRAGMA synchronous={synchronous}")
        (held,) = found.execute("PRAGMA user_version").fetchone()
        if held > version:
            raise InputError(f"{name} has schema {held}, this synth knows {version}: update synth, or name {instead}")
        found.executescript(schema)
        found.execute(f"PRAGMA user_version={version}")
    except (sqlite3.Error, OSError) as error:
        repair = f"{_REPAIR}, or " if instead == _ELSEWHERE and _is_damage(error) else ""
        raise InputError(f"{name} cannot be opened: {error}; {repair}name {instead}") from error
    return found


class Store:
    """A content-addressed store in one SQLite file, safe to share between processes and threads.

    A value is written once under (`kind`, `key`) and never changed: the key is a hash of all that
    the value was made from. Every `put` is durable when it returns, unless it is inside `batch`.

    Raises InputError when the file cannot be opened, is not a store, has a newer schema, is damaged, or can be written
    no more.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        # One connection must not be used by two threads at once, whatever SQLite itself would bear.
        self._lock = threading.RLock()
        name, instead = f"the store {self.path}", _ELSEWHERE
        self._db = database(self.path, _SCHEMA, SCHEMA_VERSION, name, instead)

    def get(self, kind: str, key: str) -> bytes | None:
        """The value kept under (`kind`, `key`), or None."""
        rows = self._rows("SELECT value FROM artifacts WHERE kind = ? AND key = ?", kind, key)
        return self._unpacked(rows[0][0]) if rows else None

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Keep `value` under (`kind`, `key`); the first value kept stays."""
        self._rows(_INSERT, kind, key, zlib.compress(value, 3))

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Writes inside are made together: all of them, or none when an exception leaves the block."""
        with self._lock:
            self._rows("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                # A full disk has rolled it back already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._rows("COMMIT")

    def put_all(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None:
        """Keep many values of one kind in one transaction."""
        with self.batch():
            for key, value in items:
                self.put(kind, key, value)

    def values(self, kind: str) -> Iterator[bytes]:
        """All values of a kind, in the order of their keys."""
        rows = self._rows("SELECT value FROM artifacts WHERE kind = ? ORDER BY key", kind)
        return (self._unpacked(value) for (value,) in rows)

    def count(self, kind: str) -> int:
        """How many values of a kind are kept."""
        return int(self._rows("SELECT COUNT(*) FROM artifacts WHERE kind = ?", kind)[0][0])

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """The rows that a statement gives, all of them read."""
        try:
            with self._lock:
                return self._db.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._trouble(error) from error

    def _unpacked(self, value: bytes) -> bytes:
        try:
            return zlib.decompress(value)
        except (zlib.error, TypeError) as error:
            raise self._trouble(error) from error

    def _trouble(self, error: Exception) -> InputError:
        """What an error of the database means, for people."""
        if isinstance(error, sqlite3.OperationalError):
            kept = "what was made is kept, and the same command goes on from there"
            return InputError(f"the store {self.path} cannot be used: {error}; make room, or name {_ELSEWHERE}; {kept}")
        return InputError(f"the store {self.path} is damaged ({error}); {_REPAIR}, or name {_ELSEWHERE}")

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _is_damage(error: Exception) -> bool:
    """Whether the file itself is at fault, and not the disk or its rights."""
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A store that was looked through: `kept` values can be read; `aside` is the damaged file, None where all can."""

    kept: int
    aside: Path | None


def repaired(path: Path) -> Repaired:
    """Look a store through; one with damage is set aside, and a new one holds all that can be read of it.

    The damaged file is not changed. Raises InputError where there is no file, or the disk cannot be written.
    """
    if not path.is_file():
        raise InputError(f"there is no store {path}; name its folder with --workspace")
    fresh, aside = _unused(path, "new"), _unused(path, "damaged")
    try:
        with Store(fresh) as store, store.batch():
            is_whole = True
            for row in _readable(path):
                is_whole = is_whole and row is not None
                if row is not None:
                    store._rows(_INSERT, *row)
        with Store(fresh) as store:
            (kept,) = store._rows("SELECT COUNT(*) FROM artifacts")[0]
        if is_whole:
            return Repaired(kept, None)
        for ending in ("-wal", "-shm", ""):
            if (beside := path.with_name(path.name + ending)).exists():
                beside.rename(aside.with_name(aside.name + ending))
        fresh.rename(path)
        return Repaired(kept, aside)
    except OSError as error:
        raise InputError(f"the store {path} cannot be repaired: {error.strerror or error}") from error
    finally:
        fresh.unlink(missing_ok=True)


def _unused(path: Path, what: str) -> Path:
    """A name beside a file that nothing has yet."""
    found, number = path.with_name(f"{path.name}.{what}"), 1
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}.{what}-{number}")
    return found


def _readable(path: Path) -> Iterator[tuple[str, str, bytes] | None]:
    """The rows of a store that can be read, from both ends towards a damaged page; None for what cannot."""
    for order in ("", " DESC"):
        try:
            with closing(sqlite3.connect(path, timeout=60)) as db:
                for kind, key, value in db.execute(
                    f"SELECT kind, key, value FROM artifacts ORDER BY kind{order}, key{order}"
                ):
                    try:
                        zlib.decompress(value)
                    except (zlib.error, TypeError):
                        yield None
                    else:
                        yield kind, key, value
            return
        except sqlite3.DatabaseError:
            yield None
