"""Log of people's decisions in an SQLite file, append-only and durable."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.annotation.records import Annotation
from synth.core.errors import InputError
from synth.core.store import Database, Schema, database
from synth.testset.manifest import beside

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
    """Raised if the same person has decided the row in another window since it was shown."""

    def __init__(self, current: StoredDecision) -> None:
        super().__init__(current.number)
        self.current = current


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """A decision in the log. `number` counts decisions from 1 in the order of arrival."""

    number: int
    annotation: Annotation


def store_path(testset: Path) -> Path:
    """Return the path of a set's log, next to the set. Raises InputError as `beside` does."""
    return beside(testset, "annotations.sqlite")


class Decisions(Database):
    """Log of decisions in an SQLite file, for several threads and processes at once.

    A person may decide on a version of a row (id and hash) in two roles, as annotator and as adjudicator. In each role,
    the last decision that was not undone applies. A decision is on disk when `add` returns. Raises InputError if the
    file is not a log of decisions, is damaged, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        name, instead = f"the log of decisions {path}", "another file with --store"
        schema = Schema(_SCHEMA, SCHEMA_VERSION)
        super().__init__(database(path, schema, name, instead, synchronous="FULL", is_of_others=True))

    def add(self, annotation: Annotation, origin: str, expects: int | None = None) -> StoredDecision:
        """Store a decision and return it with its number; if an equal decision applies already, return that one.

        `origin` is "review" or the name of the imported file. `expects` is the number of the decision that the new one
        replaces, 0 if there is none, or None to skip the check. Raises Overtaken if another decision applies by now.
        """
        with self.batch():
            new = annotation
            current = self.current(new.sample_id, new.sample_hash, new.annotator, adjudicated=new.adjudicated)
            if current and current.annotation == annotation:
                return current
            if expects is not None and expects != (current.number if current else 0):
                raise Overtaken(current or StoredDecision(0, annotation))
            marks = ", ".join("?" * 11)
            self._rows(f"INSERT INTO decisions ({_COLUMNS}, origin) VALUES ({marks})", *_packed(annotation), origin)
            ((number,),) = self._rows("SELECT last_insert_rowid()")
            return StoredDecision(int(number), annotation)

    def undo(self, annotator: str, among: Container[str], *, adjudicated: bool = False) -> StoredDecision | None:
        """Undo the last decision that a person made on the page, and return it.

        Returns None if there is none, or if its row is not in `among`, the rows of this review.
        """
        with self.batch():
            rows = self._rows(
                f"SELECT number, {_COLUMNS} FROM decisions WHERE annotator = ? AND adjudicated = ? AND undone = 0 "
                "AND origin = 'review' ORDER BY number DESC LIMIT 1",
                annotator,
                adjudicated,
            )
            if not rows or rows[0][1] not in among:
                return None
            self._rows("UPDATE decisions SET undone = 1 WHERE number = ?", rows[0][0])
            return self._stored(rows[0])

    def current(
        self, sample_id: str, sample_hash: str, annotator: str, *, adjudicated: bool = False
    ) -> StoredDecision | None:
        """Return the decision of a person on a version of a row, as annotator or, if `adjudicated`, as adjudicator.

        Returns None if there is none.
        """
        rows = self._rows(
            f"SELECT number, {_COLUMNS} FROM decisions WHERE sample_id = ? AND sample_hash = ? AND annotator = ? "
            "AND adjudicated = ? AND undone = 0 ORDER BY number DESC LIMIT 1",
            sample_id,
            sample_hash,
            annotator,
            adjudicated,
        )
        return self._stored(rows[0]) if rows else None

    def version(self) -> int:
        """Return a number that changes when another connection writes to the log."""
        return int(self._rows("PRAGMA data_version")[0][0])

    def all(self) -> list[StoredDecision]:
        """Return the decisions that apply, oldest first."""
        rows = self._rows(
            f"SELECT number, {_COLUMNS} FROM decisions WHERE number IN (SELECT MAX(number) FROM decisions "
            "WHERE undone = 0 GROUP BY sample_id, sample_hash, annotator, adjudicated) ORDER BY number"
        )
        return [self._stored(row) for row in rows]

    def serialized(self) -> bytes:
        """Return the log as the bytes of an SQLite file."""
        with self._lock:
            return self._db.serialize()

    def note_order(self, name: str) -> None:
        """Record the name of the order in which a review shows rows, such as "random"."""
        with self.batch():
            self._rows("INSERT OR IGNORE INTO orders (name) VALUES (?)", name)

    def orders(self) -> list[str]:
        """Return the names of the orders in which reviews showed rows."""
        return [name for (name,) in self._rows("SELECT name FROM orders ORDER BY name")]

    def _trouble(self, error: Exception) -> InputError:
        return InputError(
            f"the log of decisions {self.path} cannot be used: {error}; make room on the disk, or name another file "
            "with --store; all confirmed decisions are kept"
        )

    def _stored(self, row: Sequence[Any]) -> StoredDecision:
        """Return the decision in a row of the log. Raises InputError if its values have wrong types."""
        number, *texts, packed_answers, reason, comment, packed_ratings, settled = row
        try:
            answers, ratings = json.loads(packed_answers), json.loads(packed_ratings)
            if not (
                all(isinstance(text, str) for text in (*texts, reason, comment))
                and isinstance(answers, list)
                and all(isinstance(answer, str) for answer in answers)
                and isinstance(ratings, dict)
                and all(isinstance(rating, int) for rating in ratings.values())
            ):
                raise TypeError("a value of another type")
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(
                f"decision {number} of the log {self.path} is damaged; name another file with --store"
            ) from error
        sample_id, sample_hash, annotator, decision, question = texts
        return StoredDecision(
            number,
            Annotation(
                sample_id=sample_id,
                sample_hash=sample_hash,
                annotator=annotator,
                decision=decision,
                question=question,
                golden_answers=tuple(answers),
                reason=reason,
                comment=comment,
                ratings=ratings,
                adjudicated=bool(settled),
            ),
        )


def _packed(annotation: Annotation) -> tuple[Any, ...]:
    return (
        annotation.sample_id,
        annotation.sample_hash,
        annotation.annotator,
        annotation.decision,
        annotation.question,
        json.dumps(annotation.golden_answers, ensure_ascii=False),
        annotation.reason,
        annotation.comment,
        json.dumps(dict(annotation.ratings), sort_keys=True),
        annotation.adjudicated,
    )
