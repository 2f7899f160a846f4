"""Pool of candidates that passed the rules. The best are sent to the judge while rows are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TypeAlias

from synth.core.records import UNANSWERABLE, Sample
from synth.corpus.twins import Twins
from synth.generation.difficulty import CLOSED_BOOK, KEYWORD
from synth.generation.filters.base import DOUBT, RATINGS
from synth.generation.matching.agreement import says_yes
from synth.generation.proposals.candidates import WORTH
from synth.generation.proposals.task import Candidate
from synth.generation.quotas import Cell, cell_of

WELL_RATED = 3
"""Minimum rating of naturalness and importance, 1 to 5, for a candidate to become a row at once.

Lower-rated candidates stay in reserve until nothing better is left. Blind readers accepted these shares of 191
candidates in two languages (naturalness) and of 155 others (lower of both ratings):

    rating          4 or 5       3          2
    naturalness     102 of 109   55 of 59   14 of 23
    lower of both   66 of 73     62 of 72   5 of 10
"""

Places: TypeAlias = frozenset[tuple[str, int]]
"""Document and start offset of each piece of evidence."""

PLAIN = 3
"""Maximum author rating (1 to 5) of a simple question that counts as a plain fact.

Such a question is developed into another rather than made a row.
"""


def rating(sample: Sample) -> float:
    """Return the mean rating of a candidate by author and judge, divided by 5.

    It is from 0.2 to 1, or 0.5 if there are no ratings.
    """
    own = {WORTH: sample.metadata[WORTH]} if WORTH in sample.metadata else {}
    ratings = sample.metadata.get(RATINGS) or own
    return sum(ratings.values()) / (5 * len(ratings)) if ratings else 0.5


def is_well_rated(sample: Sample) -> bool:
    """Return whether a candidate may become a row at once, by the judge's ratings.

    The ratings must be at least `WELL_RATED`, without a doubt. The judge must not know the answer of a conditional
    question without the documents. In a blind reading by two people, five such questions had a mean worth (1 to 5) of
    2.5. Three other conditional questions had 3.3.
    """
    ratings = sample.metadata.get(RATINGS, {})
    guessed = sample.question_type == "conditional" and CLOSED_BOOK in sample.metadata.get("tags", ())
    return (
        not guessed
        and DOUBT not in sample.metadata
        and all(ratings.get(name, WELL_RATED) >= WELL_RATED for name in ("natural", "matters"))
    )


def is_plain(sample: Sample) -> bool:
    """Return whether a simple question asks for a plain fact, or its words alone find the passage.

    The result is False for a question that was developed from another. A question with a plain fact is developed into
    another rather than made a row. In a blind reading, 13 of 14 simple questions that were not developed had a worth of
    2 to 3 (of 5), whatever the judge's ratings.
    """
    if sample.question_type != "simple" or sample.evolutions:
        return False
    worth = sample.metadata.get(RATINGS, sample.metadata).get(WORTH, PLAIN + 1)
    return worth <= PLAIN or KEYWORD in sample.metadata.get("tags", ())


@dataclass(frozen=True, slots=True)
class Seats:
    """Number of missing rows of a type. Questions not developed from others may fill `direct` of them."""

    rows: float
    direct: float


@dataclass(slots=True)
class AskedFacts:
    """Evidence of rows, indexed by row id and by place."""

    _places: dict[str, Places] = field(default_factory=dict)
    _on: dict[tuple[str, int], set[str]] = field(default_factory=dict)

    def add(self, row_id: str, places: Places) -> None:
        """Record the evidence of a row. Evidence recorded earlier under the same id is replaced."""
        self.remove(row_id)
        self._places[row_id] = places
        for place in places:
            self._on.setdefault(place, set()).add(row_id)

    def remove(self, row_id: str) -> None:
        """Remove a row, if it is recorded."""
        for place in self._places.pop(row_id, ()):
            self._on[place].discard(row_id)

    def has(self, places: Places) -> bool:
        """Return whether a row has evidence at all of `places`, or has all its evidence at `places`."""
        rows = set[str]().union(*(self._on.get(place, ()) for place in places))
        return any(self._places[row] <= places or places <= self._places[row] for row in rows)


@dataclass(slots=True)
class Pool:
    """Candidates that wait for the judge.

    Strong candidates go first. A strong candidate is well rated, asks for no plain fact, and is the first question on
    its facts. If it was not developed from another question, it must also be the first question on its passage. Two
    candidates are on the same facts if the evidence of one contains the evidence of the other, or if a page and its
    translation have the evidence in the same blocks.

    `cells` are the missing rows by type and level, or None if any level will do. Candidates of a complete level are
    kept, but neither counted nor judged.
    """

    twins: Twins | None = None
    cells: Mapping[Cell, float] | None = None
    _waiting: dict[str, Candidate] = field(default_factory=dict)
    _rows_on: Counter[str] = field(default_factory=Counter)
    _documents: Counter[str] = field(default_factory=Counter)
    _yes: Counter[bool] = field(default_factory=Counter)
    _asked: AskedFacts = field(default_factory=AskedFacts)
    _in_twins: AskedFacts = field(default_factory=AskedFacts)
    _parents: set[str] = field(default_factory=set)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self._waiting.values())

    def add(self, candidates: Iterable[Candidate]) -> None:
        """Add candidates. A candidate that is already in the pool is not replaced."""
        for candidate in candidates:
            self._waiting.setdefault(candidate.sample.id, candidate)

    def is_wanted(self, sample: Sample) -> bool:
        """Return whether a row of the type and level of a sample is missing."""
        if self.cells is None or sample.question_type == UNANSWERABLE:
            return True
        return self.cells.get(cell_of(sample), 0) > 0

    def count(self, kind: str, *, developed: bool | None = None) -> int:
        """Return the number of waiting candidates of a type whose facts no row uses.

        Candidates that are being judged count as rows here. If `developed` is True, only candidates developed from
        other questions count. If it is False, only the other candidates count.
        """
        return sum(
            candidate.sample.question_type == kind
            and developed in (None, bool(candidate.sample.evolutions))
            and self.is_wanted(candidate.sample)
            and not self.is_asked(candidate.sample)
            for candidate in self._waiting.values()
        )

    def passages(self, kinds: Iterable[str]) -> float:
        """Return the number of passages without a row for which candidates of these types wait.

        Candidates that were developed from other questions do not count. A passage with only plain facts counts as
        half.
        """
        wanted, worth = set(kinds), dict[str, float]()
        for candidate in self._waiting.values():
            sample, home = candidate.sample, candidate.section.section_id
            fits = sample.question_type in wanted and self.is_wanted(sample)
            if fits and not sample.evolutions and not self._rows_on[home]:
                worth[home] = max(worth.get(home, 0.0), 0.5 if is_plain(sample) else 1.0)
        return sum(worth.values())

    def best(self, seats: Mapping[str, Seats], rate: float, most: int, *, weak: bool) -> list[Candidate]:
        """Return the best candidates for the judge, at most `most`, in one language.

        `seats` are the missing rows of each type. The share `rate` (0 to 1) of the candidates is expected to become
        rows. Unless `weak`, only strong candidates are returned. Candidates on the facts of others come last.
        """
        waiting = sorted(
            self._waiting.values(), key=lambda one: (self.goodness(one), -rating(one.sample), one.sample.id)
        )
        choice = _Choice(
            pool=self,
            left={kind: ceil(seat.rows / rate) for kind, seat in seats.items()},
            direct={kind: ceil(seat.direct / rate) for kind, seat in seats.items()},
            by_level={cell: ceil(rows / rate) for cell, rows in (self.cells or {}).items()},
            passages=Counter(self._rows_on),
            documents=Counter(self._documents),
            yes=Counter(self._yes),
        )
        for rank in _RANKS if weak else (_STRONG,):
            while (candidate := choice.next(waiting, rank)) is not None:
                waiting.remove(candidate)
                choice.take(candidate)
                if len(choice.chosen) == (most // 3 if candidate.attempt else most):
                    return choice.chosen
        return choice.chosen

    def hold(self, rows: Iterable[Sample]) -> None:
        """Record the facts of rows that the set already contains."""
        for row in rows:
            self._ask(row)
            self._count(row, 1)

    def take(self, candidates: Iterable[Candidate]) -> None:
        """Remove candidates from the pool, to be judged."""
        for candidate in candidates:
            del self._waiting[candidate.sample.id]
            self._ask(candidate.sample)
            self._count(candidate.sample, 1)
            if not candidate.sample.evolutions:
                self._rows_on[candidate.section.section_id] += 1

    def give_back(self, candidate: Candidate) -> None:
        """Record that a judged candidate did not become a row.

        Other candidates on its facts and on its passage are allowed again.
        """
        self._asked.remove(candidate.sample.id)
        self._in_twins.remove(candidate.sample.id)
        self._count(candidate.sample, -1)
        if not candidate.sample.evolutions:
            self._rows_on[candidate.section.section_id] -= 1

    def develop(self, parents: Iterable[Sample]) -> None:
        """Record that questions are being developed. The new questions are preferred to them."""
        self._parents.update(parent.id for parent in parents)

    def emptied(self) -> list[Candidate]:
        """Remove and return all candidates left in the pool."""
        rest = [*self._waiting.values()]
        self._waiting.clear()
        return rest

    def _count(self, sample: Sample, change: int) -> None:
        for doc_id in _doc_ids(sample):
            self._documents[doc_id] += change
        if (says := _says_yes(sample)) is not None:
            self._yes[says] += change

    def _ask(self, sample: Sample) -> None:
        self._asked.add(sample.id, _places(sample))
        if self.twins:
            self._in_twins.add(sample.id, self.twins.blocks_of(sample.evidence, in_twins=True))

    def is_asked(self, sample: Sample) -> bool:
        """Return whether a row, or a candidate that is being judged, is on the facts of a sample."""
        in_twin = self.twins is not None and self._in_twins.has(self.twins.blocks_of(sample.evidence))
        return in_twin or self._asked.has(_places(sample))

    def is_developing(self, sample: Sample) -> bool:
        """Return whether a question is being developed."""
        return sample.id in self._parents

    def goodness(self, candidate: Candidate) -> tuple[int, bool, int, bool]:
        """Return a key that sorts candidates, best first. Candidates with equal keys are as good, but for ratings."""
        sample = candidate.sample
        repeated = 0 if sample.evolutions else self._rows_on[candidate.section.section_id] + self.is_developing(sample)
        return candidate.attempt, is_plain(sample), repeated, not sample.evolutions


_STRONG, _WEAK, _REPEATED = 0, 1, 2
"""Ranks of candidates: strong ones, others on new facts, and those on the facts of others."""

_RANKS = (_STRONG, _WEAK, _REPEATED)


@dataclass(slots=True)
class _Choice:
    """Choice of candidates for one request to the judge.

    `left` are the candidates that may still be chosen by type, `direct` those of them not developed from others, and
    `by_level` those by type and level. `passages`, `documents` and `yes` count the rows and the chosen candidates by
    passage, by document, and by whether the answer says yes or no.
    """

    pool: Pool
    left: dict[str, int]
    direct: dict[str, int]
    by_level: dict[Cell, int]
    passages: Counter[str]
    documents: Counter[str]
    yes: Counter[bool]
    chosen: list[Candidate] = field(default_factory=list)
    _asked: AskedFacts = field(default_factory=AskedFacts)

    def next(self, waiting: Sequence[Candidate], rank: int) -> Candidate | None:
        """Return the best of the `waiting` candidates, best first, that is at least of a rank, or None.

        Of candidates that are as good, one whose answer is not already the more common of yes and no comes first, then
        one on the document with the fewest rows, then the best rated.
        """
        found: list[Candidate] = []
        for candidate in waiting:
            if found and self.pool.goodness(candidate) != self.pool.goodness(found[0]):
                break
            if self._fits(candidate, rank):
                found.append(candidate)
        return min(found, key=self._crowding, default=None)

    def take(self, candidate: Candidate) -> None:
        """Choose a candidate."""
        sample = candidate.sample
        self.chosen.append(candidate)
        self._asked.add(sample.id, _places(sample))
        self.documents.update(_doc_ids(sample))
        if (says := _says_yes(sample)) is not None:
            self.yes[says] += 1
        self.left[sample.question_type] -= 1
        if cell_of(sample) in self.by_level:
            self.by_level[cell_of(sample)] -= 1
        if not sample.evolutions:
            self.direct[sample.question_type] -= 1
            self.passages[candidate.section.section_id] += 1

    def _fits(self, candidate: Candidate, rank: int) -> bool:
        """Return whether a candidate is at least of a rank, and may join the chosen ones."""
        sample, kind, developed = candidate.sample, candidate.sample.question_type, bool(candidate.sample.evolutions)
        if self.left.get(kind, 0) <= 0 or (not developed and self.direct[kind] <= 0):
            return False
        if not self.pool.is_wanted(sample) or self.by_level.get(cell_of(sample), 1) <= 0:
            return False
        if self.chosen:
            first = self.chosen[0]
            if (sample.language, candidate.attempt) != (first.sample.language, first.attempt):
                return False
        if rank < _REPEATED and (self._asked.has(_places(sample)) or self.pool.is_asked(sample)):
            return False
        return rank > _STRONG or not self._is_weak(candidate)

    def _is_weak(self, candidate: Candidate) -> bool:
        """Return whether a candidate is rated low, asks for a plain fact, or is not the first on its passage."""
        sample = candidate.sample
        asked = bool(self.passages[candidate.section.section_id]) or self.pool.is_developing(sample)
        return (asked and not sample.evolutions) or not is_well_rated(sample) or is_plain(sample)

    def _crowding(self, candidate: Candidate) -> tuple[int, int]:
        """Return by how much the answer's yes or no is the more common, and the rows on the candidate's document."""
        says = _says_yes(candidate.sample)
        more = 0 if says is None else max(0, self.yes[says] - self.yes[not says] - 1)
        return more, max((self.documents[doc_id] for doc_id in _doc_ids(candidate.sample)), default=0)


def _places(sample: Sample) -> Places:
    return frozenset((piece.doc_id, piece.start) for piece in sample.evidence)


def _doc_ids(sample: Sample) -> set[str]:
    return {piece.doc_id for piece in sample.evidence}


def _says_yes(sample: Sample) -> bool | None:
    """Return whether the first golden answer says yes or no, or None if it says neither."""
    return says_yes(sample.golden_answers[0]) if sample.golden_answers else None
