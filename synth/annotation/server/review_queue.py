"""Who gets which row next, what is shown of it, and how far everybody is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from synth.annotation.context import passages
from synth.annotation.decisions import Decisions, Kept
from synth.annotation.records import SKIP, annotation_of, clean, sample_hash
from synth.core.errors import RecordError
from synth.core.records import Document, Sample

HELD_S = 1800.0
"""Seconds for which a row that was handed out counts as being looked at."""

LONGEST_NAME = 60
WIDEST = 200_000
_SHOWN = ("difficulty", "category", "persona", "style")


class NoSuchRow(Exception):
    """A row that is not among those under review, or has changed since it was shown."""


class RowTaken(Exception):
    """A row that enough others have decided since it was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTask:
    """What is under review: the rows in order, the corpus (None for none), and how many people see each row.

    `settle` is for whoever settles what others differ on: everybody sees every row with what the others said, and
    decisions are kept as adjudications. `annotators` are those who may take part, anybody when there are none.
    """

    name: str
    rows: tuple[Sample, ...]
    documents: Mapping[str, Document] | None
    language: str
    per_item: int = 1
    settle: bool = False
    annotators: tuple[str, ...] = ()


class Desk:
    """Hands rows to people and keeps what they decide; for several threads, beside other writers of the same log."""

    def __init__(self, task: ReviewTask, decisions: Decisions, clock: Callable[[], float] = time.monotonic) -> None:
        self.task, self._decisions, self._clock = task, decisions, clock
        self._lock = threading.RLock()
        self._rows = {sample.id: sample for sample in task.rows}
        self._hashes = {sample.id: sample_hash(sample) for sample in task.rows}
        self._held: dict[str, dict[str, float]] = {}
        self._version = -1
        self._said: dict[str, dict[str, Kept]] = {}
        self._others: dict[str, dict[str, Kept]] = {}

    def name(self, given: Any) -> str:
        """A person's name as it is kept. Raises RecordError for one that is none, or may not take part."""
        name = " ".join(clean(given, "the page", "name").split())
        if not name or len(name) > LONGEST_NAME:
            raise RecordError(f"a name of 1 to {LONGEST_NAME} characters is wanted")
        if self.task.annotators and name not in self.task.annotators:
            raise RecordError(f"'{name}' is not among the annotators of this review")
        return name

    def progress(self, who: str) -> dict[str, int]:
        """How many rows a person has decided, and how many there are for them."""
        with self._lock:
            self._refresh()
            done = sum(who in self._said.get(row, {}) for row in self._rows)
            return {"done": done, "total": done + sum(self._free(row, who) for row in self._rows)}

    def next(self, who: str) -> dict[str, Any] | None:
        """The next row for a person, held for them; None when there is none left."""
        with self._lock:
            self._refresh()
            for row in self._rows:
                if self._free(row, who):
                    return self.show(who, row)
        return None

    def show(self, who: str, row: str, room: int | None = None) -> dict[str, Any]:
        """All that the page shows of a row. Raises NoSuchRow."""
        sample = self._row(row)
        room = None if room is None else min(max(room, 0), WIDEST)
        with self._lock:
            self._refresh()
            self._held.setdefault(row, {})[who] = self._clock()
            mine = self._said.get(row, {}).get(who)
            others = self._others.get(row, {}) if self.task.settle else {}
        return {
            "id": row,
            "hash": self._hashes[row],
            "number": list(self._rows).index(row) + 1,
            "of": len(self._rows),
            "question": sample.question,
            "answers": list(sample.golden_answers),
            "type": sample.question_type,
            "language": sample.language,
            "about": [str(sample.metadata[name]) for name in _SHOWN if sample.metadata.get(name)],
            "steps": [step.says for step in sample.steps],
            "verdicts": {v.filter: v.score for v in sample.verdicts if v.score is not None},
            "passages": [asdict(one) for one in passages(sample, self.task.documents, room)],
            "mine": _shown(mine) if mine else None,
            "others": [_shown(one) for _, one in sorted(others.items())],
        }

    def decide(self, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Keep a decision.

        Raises NoSuchRow, RecordError, Overtaken when the person decided elsewhere meanwhile, or RowTaken when enough
        others did.
        """
        row = str(given.get("id"))
        sample = self._row(row)
        if given.get("hash") != self._hashes[row]:
            raise NoSuchRow(f"the row {row} has changed since it was shown")
        expects = given.get("expects")
        if isinstance(expects, bool) or not isinstance(expects, int):
            raise RecordError(f"'expects' must be the number of the decision that is replaced, was {expects!r}")
        annotation = annotation_of(sample, who, given, "the page", adjudicated=self.task.settle)
        with self._lock, self._decisions.batch():
            self._refresh()
            said = self._said.get(row, {})
            if who not in said and self._taken(said) >= self.task.per_item and not self.task.settle:
                raise RowTaken(f"the row {row} has been decided by as many others as are wanted; take the next one")
            kept = self._decisions.add(annotation, "review", expects)
            self._said.setdefault(row, {})[who] = kept
            self._held.get(row, {}).pop(who, None)
        return _shown(kept)

    def undo(self, who: str) -> dict[str, Any] | None:
        """Take a person's last decision back; what it was, None when there is none."""
        with self._lock:
            taken = self._decisions.undo(who, self._rows, adjudicated=self.task.settle)
            if taken is None:
                return None
            self._version = -1
            self._refresh()
        return {**_shown(taken), "id": taken.annotation.sample_id}

    def rows(self, who: str) -> list[dict[str, Any]]:
        """All rows in short, with what the person decided; rows that others have taken are left out."""
        with self._lock:
            self._refresh()
            found = []
            for number, (row, sample) in enumerate(self._rows.items(), start=1):
                mine = self._said.get(row, {}).get(who)
                if mine or self._free(row, who):
                    decision = mine.annotation.decision if mine else None
                    found.append({"id": row, "number": number, "question": sample.question, "decision": decision})
            return found

    def _row(self, row: str) -> Sample:
        if row not in self._rows:
            raise NoSuchRow(f"no row {row[:40]} is under review")
        return self._rows[row]

    def _free(self, row: str, who: str) -> bool:
        """Whether a person may be handed a row: they have not decided it, and too few others have or are about to."""
        said = self._said.get(row, {})
        if who in said:
            return False
        if self.task.settle:
            return True
        now = self._clock()
        busy = {name for name, since in self._held.get(row, {}).items() if now - since < HELD_S and name not in said}
        return self._taken(said) + len(busy - {who}) < self.task.per_item

    @staticmethod
    def _taken(said: Mapping[str, Kept]) -> int:
        """How many people have decided a row, of what they said on it."""
        return sum(one.annotation.decision != SKIP for one in said.values())

    def _refresh(self) -> None:
        """Read the log again where somebody else has written to it."""
        version = self._decisions.version()
        if version == self._version:
            return
        self._version = version
        self._said, self._others = {}, {}
        for kept in self._decisions.all():
            one = kept.annotation
            if self._hashes.get(one.sample_id) == one.sample_hash:
                group = self._said if one.adjudicated == self.task.settle else self._others
                group.setdefault(one.sample_id, {})[one.annotator] = kept


def _shown(kept: Kept) -> dict[str, Any]:
    one = kept.annotation
    return {
        "number": kept.number,
        "annotator": one.annotator,
        "decision": one.decision,
        "question": one.question,
        "answers": list(one.golden_answers),
        "reason": one.reason,
        "comment": one.comment,
        "ratings": dict(one.ratings),
    }
