"""Decisions of people, kept the moment they are made: a log in one SQLite file, of which nothing is ever erased."""

from __future__ import annotations

import json
import threading
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from synth.annotation.records import Annotation
from synth.core.store import database

SCHEMA_VERSION = 1
_COLUMNS = (
    "sample_id, sample_hash, annotator, decision, question, golden_answers, reason, comment, ratings, adjudicated"
)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    sample_id TEXT NOT NULL, sample_hash TEXT NOT NULL, annotator TEXT NOT NULL, decision TEXT NOT NULL,
    question TEXT NOT NULL, golden_answers TEXT NOT NULL, reason TEXT NOT NULL, comment TEXT NOT NULL,
    ratings TEXT NOT NULL, adjudicated INTEGER NOT NULL, origin TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS orders (name TEXT PRIMARY KEY);
CREATE INDEX IF NOT EXISTS by_row ON decisions (sample_id, sample_hash, annotator, adjudicated);
CREATE INDEX IF NOT EXISTS by_annotator ON decisions (annotator, adjudicated, number);
"""


class Overtaken(Exception):
    """The row was decided anew, by the same person elsewhere, after what this decision was made on was read."""

    def __init__(self, held: Kept) -> None:
        super().__init__(held.number)
        self.held = held


@dataclass(frozen=True, slots=True)
class Kept:
    """An annotation in the log, with its number there, from 1 on in the order in which they came."""

    number: int
    annotation: Annotation


def store_path(testset: Path) -> Path:
    """Where the decisions on a set are: beside it, as its manifest is."""
    prefix = "" if testset.name == "testset.jsonl" else f"{testset.stem}."
    return testset.with_name(f"{prefix}annotations.sqlite")


class Decisions:
    """The log of decisions in one SQLite file, for several threads and processes at once.

    What counts is, for each row as it stood (id and hash), each person and each role, the last decision that was
    not undone. A decision is on the disk when `add` returns. Raises InputError for a file that is no such log.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        name, instead = f"the log of decisions {path}", "another file with --store"
        self._db = database(path, _SCHEMA, SCHEMA_VERSION, name, instead, synchronous="FULL")

    def add(self, annotation: Annotation, origin: str, expects: int | None = None) -> Kept:
        """Keep a decision and return it with its number; what is kept already, word for word, is not kept twice.

        `origin` says where it came from ("review", or the name of a file). `expects` is the number of the
        decision of this person on this row that the new one replaces, 0 for none; Overtaken is raised when it
        is another by now. None replaces whatever there is.
        """
        with self._at_once():
            one = annotation
            held = self.current(one.sample_id, one.sample_hash, one.annotator, adjudicated=one.adjudicated)
            if held and held.annotation == annotation:
                return held
            if expects is not None and expects != (held.number if held else 0):
                raise Overtaken(held or Kept(0, annotation))
            marks = ", ".join("?" * 11)
            cursor = self._db.execute(
                f"INSERT INTO decisions ({_COLUMNS}, origin) VALUES ({marks})", (*_packed(annotation), origin)
            )
            return Kept(int(cursor.lastrowid or 0), annotation)

    def undo(self, annotator: str, among: Container[str], *, adjudicated: bool = False) -> Kept | None:
        """Take back the last decision that a person made in review, and return it.

        None when there is none, or the row it is on is not `among` those of this review.
        """
        with self._at_once():
            found = self._db.execute(
                f"SELECT number, {_COLUMNS} FROM decisions WHERE annotator = ? AND adjudicated = ? AND undone = 0 "
                "AND origin = 'review' ORDER BY number DESC LIMIT 1",
                (annotator, adjudicated),
            ).fetchone()
            if not found or found[1] not in among:
                return None
            self._db.execute("UPDATE decisions SET undone = 1 WHERE number = ?", (found[0],))
            return _kept(found)

    def current(self, sample_id: str, sample_hash: str, annotator: str, *, adjudicated: bool = False) -> Kept | None:
        """The decision of a person on a row as it stands, in one of the two roles."""
        with self._lock:
            found = self._db.execute(
                f"SELECT number, {_COLUMNS} FROM decisions WHERE sample_id = ? AND sample_hash = ? AND annotator = ? "
                "AND adjudicated = ? AND undone = 0 ORDER BY number DESC LIMIT 1",
                (sample_id, sample_hash, annotator, adjudicated),
            ).fetchone()
        return _kept(found) if found else None

    def version(self) -> int:
        """A number that changes when another connection has written to the log."""
        with self._lock:
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def all(self) -> list[Kept]:
        """The decisions that count, in the order in which they were made."""
        with self._lock:
            rows = self._db.execute(
                f"SELECT number, {_COLUMNS} FROM decisions WHERE number IN (SELECT MAX(number) FROM decisions "
                "WHERE undone = 0 GROUP BY sample_id, sample_hash, annotator, adjudicated) ORDER BY number"
            ).fetchall()
        return [_kept(row) for row in rows]

    def note_order(self, name: str) -> None:
        """Remember that rows were handed out in this order."""
        with self._at_once():
            self._db.execute("INSERT OR IGNORE INTO orders (name) VALUES (?)", (name,))

    def orders(self) -> list[str]:
        """The orders in which rows were ever handed out."""
        with self._lock:
            return [name for (name,) in self._db.execute("SELECT name FROM orders ORDER BY name")]

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Decisions inside are kept together, all of them or none."""
        with self._at_once():
            yield

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """One transaction, which no other process can come between; inside another it is part of that."""
        with self._lock:
            if self._db.in_transaction:
                yield
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def __enter__(self) -> Decisions:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _packed(one: Annotation) -> tuple[Any, ...]:
    return (
        one.sample_id,
        one.sample_hash,
        one.annotator,
        one.decision,
        one.question,
        json.dumps(one.golden_answers, ensure_ascii=False),
        one.reason,
        one.comment,
        json.dumps(dict(one.ratings), sort_keys=True),
        one.adjudicated,
    )


def _kept(row: Iterable[Any]) -> Kept:
    number, sample_id, sample_hash, annotator, decision, question, answers, reason, comment, ratings, settled = row
    return Kept(
        number,
        Annotation(
            sample_id=sample_id,
            sample_hash=sample_hash,
            annotator=annotator,
            decision=decision,
            question=question,
            golden_answers=tuple(json.loads(answers)),
            reason=reason,
            comment=comment,
            ratings=json.loads(ratings),
            adjudicated=bool(settled),
        ),
    )
