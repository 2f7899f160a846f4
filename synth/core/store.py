"""Store of artifacts, replies and runs, each under a hash of its inputs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from synth.core.errors import InputError, NoRoom
from synth.core.input_files import enclosed

STORE = "synth.sqlite"
"""File name of the store in a workspace."""

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS artifacts (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
"""


_PATIENCE = 60.0
"""Seconds to wait for another process that writes to the database."""

_SPARE = 8_000_000
"""Bytes that SQLite may need for its write-ahead log and for copying pages from the log."""

_OF_SQLITE = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates next to a database."""

_INSERT = "INSERT OR IGNORE INTO artifacts (kind, key, value) VALUES (?, ?, ?)"
_BY_KIND = "SELECT kind, COUNT(*) FROM main.artifacts GROUP BY kind"
_ELSEWHERE = "another folder with --workspace"
_REPAIR = "run `synth doctor --repair`, which keeps what can still be read"


class Cache(Protocol):
    """Thread-safe storage of bytes under a kind and a key. Most code needs only this part of a store."""

    def get(self, kind: str, key: str) -> bytes | None: ...

    def put(self, kind: str, key: str, value: bytes) -> None: ...


@runtime_checkable
class Limited(Protocol):
    """Cache that may run out of room."""

    def check_room(self, size: int) -> None:
        """Raise NoRoom if the cache cannot take `size` more bytes."""
        ...


class BatchCache(Cache, Protocol):
    """Cache that can store many values in one transaction."""

    def put_all(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None: ...


@dataclass(frozen=True, slots=True)
class Schema:
    """Tables of a database as SQL statements, and their version."""

    sql: str
    version: int


def database(
    path: Path,
    schema: Schema,
    name: str,
    instead: str,
    *,
    synchronous: str = "NORMAL",
    is_of_others: bool = False,
) -> sqlite3.Connection:
    """Open the SQLite database `path`, with the tables of `schema`, for several threads and processes.

    A new file is readable by its owner only, because it contains private texts. Error messages call the database `name`
    and suggest the alternative `instead`.

    Set `is_of_others` for a database that a stranger may have made. In such a database, objects other than the tables
    of `schema` are refused, because views, triggers and computed columns can run code. Raises InputError when the file
    cannot be opened, is not a database, or has a newer schema.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        for suffix in _OF_SQLITE:
            enclosed(Path(os.path.realpath(path) + suffix))
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            if is_of_others and (strange := _strange_objects(connection, schema.sql)):
                raise InputError(
                    f"{name} contains '{strange[0]}', which synth does not write; remove the file, or name {instead}"
                )
            _check_version(connection, schema.version, name, instead)
            _log_ahead(connection)
            connection.execute(f"PRAGMA synchronous={synchronous}")
            connection.executescript(schema.sql)
            connection.execute(f"PRAGMA user_version={schema.version}")
        except BaseException:
            connection.close()
            raise
    except (sqlite3.Error, OSError) as error:
        repair = f"{_REPAIR}, or " if instead == _ELSEWHERE and _is_damage(error) else ""
        raise InputError(f"{name} cannot be opened: {error}; {repair}name {instead}") from error
    return connection


def _strange_objects(connection: sqlite3.Connection, schema: str) -> list[str]:
    """Return the names of tables, views, triggers and indexes that `schema` lacks or defines differently."""
    connection.execute("PRAGMA trusted_schema=OFF")
    with closing(sqlite3.connect(":memory:")) as own:
        own.executescript(schema)
        objects = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        return sorted(str(name) for name, sql in {*connection.execute(objects)} - {*own.execute(objects)})


def _check_version(connection: sqlite3.Connection, version: int, name: str, instead: str) -> None:
    (current,) = connection.execute("PRAGMA user_version").fetchone()
    if current > version:
        raise InputError(f"{name} has schema {current}, this synth knows {version}: update synth, or name {instead}")


def check_store(path: Path) -> None:
    """Raise InputError if there is a store at `path` that cannot be opened or has a newer schema."""
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)) as connection:
            _check_version(connection, SCHEMA_VERSION, f"the store {path}", _ELSEWHERE)
            connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise InputError(f"the store {path} cannot be opened: {error}; {_REPAIR}, or name {_ELSEWHERE}") from error


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Switch a database to write-ahead logging, so that one process may write while others read.

    If two processes do this to a new file at the same time, SQLite refuses one of them immediately, despite its
    timeout.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY  # whatever the extended code
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


class Database(ABC):
    """SQLite database for several threads and processes. `connection` is a connection opened by `database`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        # One connection must not be used by two threads at once.
        self._lock = threading.RLock()
        self._db = connection

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make the writes inside the block one transaction. An exception that leaves the block undoes them.

        A block inside another block is part of the outer transaction.
        """
        with self._lock:
            if self._is_open():
                yield
                return
            self._rows("BEGIN IMMEDIATE")
            try:
                yield
                self._rows("COMMIT")
            except BaseException:
                # If the disk is full, SQLite has already rolled back.
                if self._is_open():
                    self._db.execute("ROLLBACK")
                raise

    def _is_open(self) -> bool:
        """Whether a transaction is open."""
        return self._db.in_transaction

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """Execute a statement and return all its rows. Errors of SQLite are raised as `_trouble` converts them."""
        try:
            with self._lock:
                return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    @abstractmethod
    def _trouble(self, error: Exception) -> InputError:
        """Return the error to raise for an error of SQLite."""

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Store(Database):
    """Content-addressed store in one SQLite file, safe to share between processes and threads.

    A value is written once under (`kind`, `key`) and never changed. The key is a hash of all inputs of the value. After
    a `put` outside `batch`, the value survives the end of the process. The latest values may be lost in a power
    failure.

    Raises InputError when the file cannot be opened, is not a store, has a newer schema or is damaged. Also raises it
    when the file can no longer be written.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        super().__init__(database(self.path, Schema(_SCHEMA, SCHEMA_VERSION), f"the store {self.path}", _ELSEWHERE))

    def get(self, kind: str, key: str) -> bytes | None:
        """Return the value under (`kind`, `key`), or None if there is no value."""
        rows = self._rows("SELECT value FROM artifacts WHERE kind = ? AND key = ?", kind, key)
        return self._unpacked(rows[0][0]) if rows else None

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Store `value` under (`kind`, `key`), unless there is a value already."""
        self._rows(_INSERT, kind, key, zlib.compress(value, 3))

    def check_room(self, size: int) -> None:
        """Raise NoRoom if the disk has fewer than `size` bytes free, beyond what SQLite needs for itself."""
        try:
            free = shutil.disk_usage(self.path.parent).free
        except OSError as error:
            raise NoRoom(
                f"the folder of the store {self.path} cannot be used: {error.strerror}; name another with --workspace"
            ) from error
        if free < size + _SPARE:
            raise NoRoom(
                f"the disk of the store {self.path} has {free / 1e6:.1f} MB free, and {(size + _SPARE) / 1e6:.1f} MB "
                f"are needed to keep the next replies; make room, or name {_ELSEWHERE}; no further request was sent, "
                "finished work is kept, and the same command continues from there"
            )

    def put_all(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None:
        """Store many values of one kind in one transaction."""
        with self.batch():
            for key, value in items:
                self.put(kind, key, value)

    def values(self, kind: str) -> Iterator[bytes]:
        """Return all values of a kind, in order of their keys."""
        rows = self._rows("SELECT value FROM artifacts WHERE kind = ? ORDER BY key", kind)
        return (self._unpacked(value) for (value,) in rows)

    def count(self, kind: str) -> int:
        """Return the number of values of a kind."""
        return int(self._rows("SELECT COUNT(*) FROM artifacts WHERE kind = ?", kind)[0][0])

    @property
    def is_changed(self) -> bool:
        """Whether something was written through this object."""
        return self._db.total_changes > 0

    def unite(self, other: Path) -> tuple[Counter[str], Counter[str]]:
        """Copy the values of another store that are missing here.

        Returns two counts by kind. The first is the number of values copied. The second is the number of values that
        differ between the stores; this store keeps its own values. Raises InputError when `other` is not a store.
        """
        with Store(other):
            """Opening raises InputError when the file is not a store."""
        with self._lock:
            self._db.create_function("unpacked", 1, zlib.decompress, deterministic=True)
            self._rows("ATTACH ? AS other", str(other))
            try:
                with self.batch():
                    # Two machines may compress one value to different bytes.
                    different = self._rows(
                        "SELECT kind, COUNT(*) FROM other.artifacts AS theirs JOIN main.artifacts AS own "
                        "USING (kind, key) WHERE theirs.value <> own.value "
                        "AND unpacked(theirs.value) <> unpacked(own.value) GROUP BY kind"
                    )
                    before = Counter(dict(self._rows(_BY_KIND)))
                    self._rows("INSERT OR IGNORE INTO main.artifacts SELECT kind, key, value FROM other.artifacts")
                    copied = Counter(dict(self._rows(_BY_KIND))) - before
            finally:
                self._rows("DETACH other")
        return copied, Counter(dict(different))

    def _unpacked(self, value: bytes) -> bytes:
        try:
            return zlib.decompress(value)
        except (zlib.error, TypeError) as error:
            raise self._trouble(error) from error

    def _trouble(self, error: Exception) -> InputError:
        """Return the error to show the user for an error of SQLite."""
        if isinstance(error, sqlite3.OperationalError):
            kept = "finished work is kept, and the same command continues from there"
            return InputError(f"the store {self.path} cannot be used: {error}; make room, or name {_ELSEWHERE}; {kept}")
        return InputError(f"the store {self.path} is damaged ({error}); {_REPAIR}, or name {_ELSEWHERE}")


def _is_damage(error: Exception) -> bool:
    """Return whether an error means a damaged file, rather than a full disk or missing permissions."""
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)


@dataclass(frozen=True, slots=True)
class Repaired:
    """Result of checking a store. `kept` is the number of readable values.

    `aside` is the damaged file, or None if all values can be read.
    """

    kept: int
    aside: Path | None


def repaired(path: Path) -> Repaired:
    """Check a store. If it is damaged, set the file aside and create a new store with all values that can be read.

    The content of the damaged file is not changed. Raises InputError when there is no file, when it has a newer schema,
    or when the disk cannot be written.
    """
    if not path.is_file():
        raise InputError(f"there is no store {path}; name its folder with --workspace")
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=_PATIENCE)) as connection:
        _check_version(connection, SCHEMA_VERSION, f"the store {path}", _ELSEWHERE)
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
        raise InputError(
            f"the store {path} cannot be repaired: {error.strerror or error}; make room, or fix the permissions"
        ) from error
    finally:
        fresh.unlink(missing_ok=True)


def _unused(path: Path, what: str) -> Path:
    """Return an unused path beside a file."""
    found, number = path.with_name(f"{path.name}.{what}"), 1
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}.{what}-{number}")
    return found


def _readable(path: Path) -> Iterator[tuple[str, str, bytes] | None]:
    """Yield the rows of a store, and None for each unreadable part.

    If reading stops at a damaged page, it starts again from the other end. A row may be yielded twice.
    """
    for order in ("", " DESC"):
        try:
            with closing(sqlite3.connect(path, timeout=_PATIENCE)) as db:
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
