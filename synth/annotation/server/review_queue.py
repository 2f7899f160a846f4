"""Queue of the rows under review: each person's next row, its content and progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from synth.annotation.context import ShownPassage, passages
from synth.annotation.decisions import Decisions, StoredDecision
from synth.annotation.markdown_view import shown_blocks
from synth.annotation.raised import Raised
from synth.annotation.records import SKIP, annotation_of, clean, sample_hash
from synth.core.errors import RecordError
from synth.core.records import Document, Sample
from synth.text.language import LANGUAGES

RESERVED_S = 1800.0
"""Seconds for which a row stays reserved for the person who opened it."""

LONGEST_NAME = 60
WIDEST = 200_000
"""Maximum number of document characters shown on each side of the evidence."""

_SHOWN_METADATA = ("difficulty", "category", "persona", "style")


class NoSuchRow(Exception):
    """Raised if a row is not part of the review, or has changed since it was shown."""


class RowFull(Exception):
    """Raised if enough other people have decided a row since it was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTask:
    """Rows to review and the settings of the review.

    `documents` is the corpus by document id, or None. `language` is the language of the page. `per_item` is the number
    of people who decide each row. `annotators` are the people who may take part; anybody may if it is empty.

    If `adjudicate` is set, everybody sees every row with the decisions of others, and new decisions are adjudications.
    """

    name: str
    rows: tuple[Sample, ...]
    documents: Mapping[str, Document] | None
    language: str
    per_item: int = 1
    adjudicate: bool = False
    annotators: tuple[str, ...] = ()


class ReviewQueue:
    """Hands out rows to people and stores their decisions.

    The queue is thread-safe. Other processes may write to the same log.
    """

    def __init__(self, task: ReviewTask, decisions: Decisions, clock: Callable[[], float] = time.monotonic) -> None:
        self.task, self._decisions, self._clock = task, decisions, clock
        self._lock = threading.RLock()
        self._rows = {sample.id: sample for sample in task.rows}
        self._positions = {sample.id: position for position, sample in enumerate(task.rows, start=1)}
        self._hashes = {sample.id: sample_hash(sample) for sample in task.rows}
        self._reserved: dict[str, dict[str, float]] = {}
        self._version = -1
        self._decided: dict[str, dict[str, StoredDecision]] = {}
        self._others: dict[str, dict[str, StoredDecision]] = {}

    def checked_name(self, value: Any) -> str:
        """Return a person's name with uniform spaces.

        Raises RecordError if the name is empty or too long, or if the person may not take part.
        """
        name = " ".join(clean(value, "the page", "name").split())
        if not name or len(name) > LONGEST_NAME:
            raise RecordError(f"the name must have 1 to {LONGEST_NAME} characters")
        if self.task.annotators and name not in self.task.annotators:
            raise RecordError(
                f"'{name}' is not an annotator of this review; enter one of the names given to the review"
            )
        return name

    def progress(self, who: str) -> dict[str, int]:
        """Return two counts for a person: `done` (decided rows) and `total` (decided and available rows)."""
        with self._lock:
            self._refresh()
            done = sum(who in self._decided.get(row, {}) for row in self._rows)
            return {"done": done, "total": len(self._within_reach(who))}

    def next(self, who: str) -> dict[str, Any] | None:
        """Reserve the next row for a person and return its content; None if no row is left."""
        with self._lock:
            self._refresh()
            for row in self._rows:
                if self._free(row, who):
                    return self.open(who, row)
        return None

    def open(self, who: str, row: str, room: int | None = None) -> dict[str, Any]:
        """Reserve a row for a person and return its content.

        `room` is the number of characters to show around the evidence, None for the default. Raises NoSuchRow for an
        unknown row.
        """
        sample = self._row(row)
        with self._lock:
            self._refresh()
            self._reserved.setdefault(row, {})[who] = self._clock()
            mine = self._decided.get(row, {}).get(who)
            others = self._others.get(row, {}) if self.task.adjudicate else {}
            number, of = self._place(row, who)
        return {
            **content_of(sample, self.task.documents, room),
            "number": number,
            "of": of,
            "mine": _decision_json(mine) if mine else None,
            "others": [_decision_json(item) for _, item in sorted(others.items())],
        }

    def look(self, who: str, row: str, room: int | None = None) -> dict[str, Any]:
        """Return the content of a row with everybody's decisions, without reserving the row.

        `who` may be "". `room` is as in `open`. Raises NoSuchRow for an unknown row.
        """
        sample = self._row(row)
        with self._lock:
            self._refresh()
            mine = self._decided.get(row, {}).get(who)
            all_others = (*self._decided.get(row, {}).items(), *self._others.get(row, {}).items())
        return {
            **content_of(sample, self.task.documents, room),
            "number": self._positions[row],
            "of": len(self._rows),
            "mine": _decision_json(mine) if mine else None,
            "others": [_decision_json(item) for _, item in sorted(all_others) if item is not mine],
        }

    def decisions(self) -> dict[str, dict[str, str]]:
        """Return everybody's decisions by row id, then by person."""
        with self._lock:
            self._refresh()
            decisions: dict[str, dict[str, str]] = {}
            for group in (self._others, self._decided):
                for row, people in group.items():
                    named = decisions.setdefault(row, {})
                    named |= {who: stored.annotation.decision for who, stored in people.items()}
            return decisions

    def decide(self, who: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Save the decision that `body` contains, and return it as saved.

        Raises NoSuchRow if the row is unknown or has changed, and RecordError if a value is invalid. Raises Overtaken
        if the person has meanwhile decided the row in another window, and RowFull if enough others have decided it.
        """
        row = str(body.get("id"))
        sample = self._row(row)
        if body.get("hash") != self._hashes[row]:
            raise NoSuchRow(f"row {row} has changed since it was shown; load the page again")
        expects = body.get("expects")
        if isinstance(expects, bool) or not isinstance(expects, int):
            raise RecordError(
                f"'expects' must be the number of the decision to replace, or 0 if there is none; was {expects!r}"
            )
        annotation = annotation_of(sample, who, body, "the page", adjudicated=self.task.adjudicate)
        with self._lock, self._decisions.batch():
            self._refresh()
            decided = self._decided.get(row, {})
            if who not in decided and self._deciders(decided) >= self.task.per_item and not self.task.adjudicate:
                raise RowFull(f"enough people have already decided row {row}; go on to the next one")
            kept = self._decisions.add(annotation, "review", expects)
            self._decided.setdefault(row, {})[who] = kept
            self._reserved.get(row, {}).pop(who, None)
        return _decision_json(kept)

    def undo(self, who: str) -> dict[str, Any] | None:
        """Undo a person's last decision and return it.

        Returns None if there is none, or if it belongs to a row of another review.
        """
        with self._lock:
            undone = self._decisions.undo(who, self._rows, adjudicated=self.task.adjudicate)
            if undone is None:
                return None
            self._version = -1
            self._refresh()
        return {**_decision_json(undone), "id": undone.annotation.sample_id}

    def rows(self, who: str) -> list[dict[str, Any]]:
        """List the rows that a person has decided or can still get, with their own decision or None."""
        with self._lock:
            self._refresh()
            rows = []
            for number, row in enumerate(self._within_reach(who), start=1):
                mine = self._decided.get(row, {}).get(who)
                decision = mine.annotation.decision if mine else None
                rows.append({"id": row, "number": number, "question": self._rows[row].question, "decision": decision})
            return rows

    def _within_reach(self, who: str) -> list[str]:
        """Return the ids of the rows that a person has decided or can still get."""
        return [row for row in self._rows if who in self._decided.get(row, {}) or self._free(row, who)]

    def _place(self, row: str, who: str) -> tuple[int, int]:
        """Return the position of a row, from 1, among the rows that a person decided or can get, and their number."""
        rows = self._within_reach(who)
        return (rows.index(row) + 1 if row in rows else self._positions[row]), len(rows)

    def _row(self, row: str) -> Sample:
        if row not in self._rows:
            raise NoSuchRow(f"row {row[:40]} is not part of this review")
        return self._rows[row]

    def _free(self, row: str, who: str) -> bool:
        """Return whether a person can get a row: the person has not decided it, and it needs further decisions.

        Decisions and reservations of others count towards `per_item`.
        """
        decided = self._decided.get(row, {})
        if who in decided:
            return False
        if self.task.adjudicate:
            return True
        now = self._clock()
        busy = {
            name
            for name, since in self._reserved.get(row, {}).items()
            if now - since < RESERVED_S and name not in decided
        }
        return self._deciders(decided) + len(busy - {who}) < self.task.per_item

    @staticmethod
    def _deciders(decided: Mapping[str, StoredDecision]) -> int:
        """Return the number of people who decided a row; people who skipped it do not count."""
        return sum(stored.annotation.decision != SKIP for stored in decided.values())

    def _refresh(self) -> None:
        """Read the log again if another process has written to it."""
        version = self._decisions.version()
        if version == self._version:
            return
        self._version = version
        self._decided, self._others = {}, {}
        for kept in self._decisions.all():
            annotation = kept.annotation
            if self._hashes.get(annotation.sample_id) == annotation.sample_hash:
                group = self._decided if annotation.adjudicated == self.task.adjudicate else self._others
                group.setdefault(annotation.sample_id, {})[annotation.annotator] = kept


def content_of(sample: Sample, documents: Mapping[str, Document] | None, room: int | None = None) -> dict[str, Any]:
    """Return the content of a row that a page displays.

    `room` is the number of document characters to show around the evidence, None for the default.
    """
    raised = Raised.of(sample)
    room = None if room is None else min(max(room, 0), WIDEST)
    return {
        "id": sample.id,
        "hash": sample_hash(sample),
        "question": sample.question,
        "answers": list(sample.golden_answers),
        "raised": {language: raised.as_text(language) for language in LANGUAGES} if raised else None,
        "type": sample.question_type,
        "language": sample.language,
        "about": {name: str(sample.metadata[name]) for name in _SHOWN_METADATA if sample.metadata.get(name)},
        "verdicts": {v.filter: v.score for v in sample.verdicts if v.score is not None},
        "passages": [_passage(item, documents or {}) for item in passages(sample, documents, room)],
    }


def _passage(passage: ShownPassage, documents: Mapping[str, Document]) -> dict[str, Any]:
    blocks = shown_blocks(passage, documents.get(passage.doc_id))
    return {**asdict(passage), "blocks": [asdict(block) for block in blocks]}


def _decision_json(kept: StoredDecision) -> dict[str, Any]:
    annotation = kept.annotation
    return {
        "number": kept.number,
        "annotator": annotation.annotator,
        "decision": annotation.decision,
        "question": annotation.question,
        "answers": list(annotation.golden_answers),
        "reason": annotation.reason,
        "comment": annotation.comment,
        "ratings": dict(annotation.ratings),
    }
