"""Archive of judged questions, in cells of type, difficulty and topic, and the moves that develop one into another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from synth.core.records import Sample
from synth.corpus.corpus import Corpus
from synth.corpus.sections import Section
from synth.generation.difficulty import LEVELS
from synth.generation.filters.base import RATINGS
from synth.generation.proposals.candidates import WORTH
from synth.generation.proposals.pool import is_plain, rating
from synth.text.shared_wording import shared_wording

MOVES: Mapping[str, tuple[str, ...]] = {
    "simple": ("reword", "constrain", "concretise", "generalise"),
    "reasoning": ("deepen", "compare"),
    "conditional": ("turn", "condition"),
}
"""Moves that develop a question into one of a type. Over several passages, questions come from paths."""

EVOLVED_SHARES: Mapping[str, float] = {"simple": 0.7, "reasoning": 0.7, "conditional": 0.7}
"""Share of the rows of a type that are developed from others, where that can be. Read blind, one step raised the mean
worth of rows from 2.8 to 4.5 in English and from 3.5 to 4.3 in Chinese. In two sets of 20, read by two people each, 13
developed rows had a mean worth of 4.0, and 14 simple ones that were not developed of 2.9."""

FROM: Mapping[str, frozenset[str]] = {
    "reasoning": frozenset({"rule", "cause", "list", "procedure", "faq"}),
    "conditional": frozenset({"rule"}),
}
"""Kinds of statement that a question must be about to be developed into a type: a second side needs a rule. A bare
attribute, event or definition can be put in other words or narrowed, and no more."""

OWN_WORDS = 0.45
"""Share of its words that a question may have in common with its passage to be in the words of its asker."""

_OF_SECTION = 2  # questions of one section in a request that develops them
_ROWS_OF_A_PARENT = 0.6  # expected of developing a question
_LOG_QUESTIONS = 300
_MOST_TRIES = 2  # types that one question is developed into
_LESS_OVERLAP = 0.1  # share of words by which a reworded question has to have less in common with its passage


def evolved_shares(asked: Sequence[str], corpus: Corpus) -> dict[str, float]:
    """Shares of the rows of a type that are developed from others, for a set that is to be like the questions `asked`.

    Simple ones are reworded as often as these are in words of their own, but not less often than without them.
    """
    shares = dict(EVOLVED_SHARES)
    overlaps = []
    for question in asked[:: max(1, len(asked) // _LOG_QUESTIONS)]:
        nearest = [corpus.chunk(name).text for name, _ in corpus.index.top(question, 1)]
        overlaps.append(shared_wording(question, nearest).words or 0.0)
    if overlaps:
        own = sum(overlap <= OWN_WORDS for overlap in overlaps) / len(overlaps)
        shares["simple"] = max(shares["simple"], own)
    return shares


def eliminated(child: Sample, parent: Sample) -> str:
    """Reason why a child is no better than its parent, or "".

    It must be harder, of another type, rated higher by the judge, or share fewer words with its passage.
    """
    if child.question_type != parent.question_type:
        return ""
    if _level(child) > _level(parent) or _by_judge(child) > _by_judge(parent):
        return ""
    if _overlap(parent) - _overlap(child) >= _LESS_OVERLAP:
        return ""
    return "no better than its parent: as hard, of the same type, rated no higher, and in the same words"


def _by_judge(sample: Sample) -> float:
    """Sum of the judge's ratings; the author's own is left out, since authors rate what they wrote last the highest."""
    return float(sum(value for name, value in sample.metadata.get(RATINGS, {}).items() if name != WORTH))


def _level(sample: Sample) -> int:
    level = str(sample.metadata.get("difficulty", LEVELS[0]))
    return LEVELS.index(level) if level in LEVELS else 0


def _overlap(sample: Sample) -> float:
    signals = sample.metadata.get("difficulty_signals", {})
    return float(signals.get("overlap", {}).get("words", 1.0))


@dataclass(slots=True)
class MoveCounts:
    """Outcomes of a move: children written, those kept by rules, judge and elimination, and the sum of their ratings
    and of their parents'."""

    tried: int = 0
    kept: int = 0
    rated: float = 0.0
    parents: float = 0.0

    def packed(self) -> dict[str, float]:
        """The counts as JSON values, with mean ratings from 1 to 5 of the kept children and of their parents."""
        means = {"rating": self.rated, "rating_of_parents": self.parents}
        return {
            "tried": self.tried,
            "kept": self.kept,
            **{name: round(5 * total / self.kept, 2) for name, total in means.items() if self.kept},
        }


@dataclass(frozen=True, slots=True)
class Parent:
    """A question to develop, its section, and the types that it can be developed into."""

    section: Section
    sample: Sample
    types: tuple[str, ...]


@dataclass(slots=True)
class Archive:
    """Judged questions that may be developed, and the rows by cell.

    A parent is drawn from the topic with the fewest rows, one that is no row itself before one that is, plain facts and
    easy questions first, and the best rated of them. A question is developed a few times at most.
    """

    rows: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    moves: dict[str, MoveCounts] = field(default_factory=dict)
    _questions: dict[str, tuple[Section, Sample]] = field(default_factory=dict)
    _tried: dict[str, set[str]] = field(default_factory=dict)
    _are_rows: set[str] = field(default_factory=set)
    _kinds: dict[str, frozenset[str]] = field(default_factory=dict)

    def can_give(self, kind: str) -> bool:
        """Test whether a question is left that can be developed into one of a type."""
        return any(self._untried(name, (kind,)) for name in self._questions)

    def left(self, kind: str = "") -> int:
        """Number of questions that can be developed into one of a type, or that were not developed yet."""
        if not kind:
            return sum(name not in self._tried for name in self._questions)
        return sum(bool(self._untried(name, (kind,))) for name in self._questions)

    def is_over(self, kind: str) -> bool:
        """Test whether there were questions to develop into a type, and none is left."""
        return bool(self._questions) and not self.can_give(kind)

    def add(self, section: Section, sample: Sample, kinds: Collection[str] = ()) -> None:
        """Keep a judged question on one passage, to be developed; `kinds` are those of the statements it asks about.

        They say which types it can become (`FROM`); without `kinds` it can become any.
        """
        if sample.question_type == "simple" and not sample.evolutions:
            self._questions.setdefault(sample.id, (section, sample))
            self._kinds.setdefault(sample.id, frozenset(kinds))

    def claim(self, samples: Iterable[Sample]) -> None:
        """Note that questions are being proved, to become rows themselves."""
        self._are_rows.update(sample.id for sample in samples)

    def count(self, sample: Sample) -> None:
        """Count a row in its cell."""
        self.rows[sample.question_type, str(sample.metadata.get("difficulty", "")), topic_of(sample)] += 1
        self._are_rows.add(sample.id)

    def learn(self, move: str, parent: Sample, child: Sample | None) -> None:
        """Take in the outcome of a move: the kept child, or None."""
        counts = self.moves.setdefault(move, MoveCounts())
        counts.tried += 1
        if child is not None:
            counts.kept += 1
            counts.rated += rating(child)
            counts.parents += rating(parent)

    def parents(self, rows: Mapping[str, float], count: int, *, full: bool = False) -> list[Parent]:
        """The next questions to develop for the missing `rows` of each type, two of a section at most, in one language.

        Each is developed into other words, or into the types that take more than one fact; it is not developed into the
        same type twice. With `full` there are `count` questions or none.
        """
        missing = {kind: float(number) for kind, number in rows.items() if number > 0}
        chosen: list[Parent] = []
        while len(chosen) < count:
            groups = [[kind for kind in missing if kind != "simple"], [kind for kind in missing if kind == "simple"]]
            groups.sort(key=lambda group: -sum(missing[kind] for kind in group))
            parent = next((found for group in groups if group and (found := self._next(group, chosen))), None)
            if parent is None:
                break
            chosen.append(parent)
            for kind in parent.types:
                missing[kind] -= _ROWS_OF_A_PARENT / len(parent.types)
            missing = {kind: number for kind, number in missing.items() if number > 0}
        if full and len(chosen) < count:
            return []
        for parent in chosen:
            self._tried.setdefault(parent.sample.id, set()).update(parent.types)
        return chosen

    def _next(self, types: Sequence[str], chosen: Sequence[Parent]) -> Parent | None:
        """The next question to develop into some types, beside those that are chosen; None without one."""
        names, homes = {one.sample.id for one in chosen}, Counter(one.section.section_id for one in chosen)
        fit = [
            (self._order(types, sample), section, sample, left)
            for section, sample in self._questions.values()
            if sample.id not in names
            and homes[section.section_id] < _OF_SECTION
            and (not chosen or section.language == chosen[0].section.language)
            and (left := self._untried(sample.id, types))
        ]
        if not fit:
            return None
        _, section, sample, left = min(fit, key=lambda one: one[0])
        return Parent(section, sample, left)

    def _untried(self, name: str, types: Sequence[str]) -> tuple[str, ...]:
        tried = self._tried.get(name, set())
        if len(tried) >= _MOST_TRIES:
            return ()
        about = self._kinds.get(name, frozenset())
        fits = [kind for kind in types if not about or kind not in FROM or not about.isdisjoint(FROM[kind])]
        return tuple(kind for kind in fits if kind not in tried)

    def _order(self, types: Sequence[str], sample: Sample) -> tuple[int, bool, int, bool, int, float, str]:
        topic, is_row = topic_of(sample), sample.id in self._are_rows
        crowded = sum(self.rows[kind, level, topic] for kind in types for level in LEVELS)
        tries = len(self._tried.get(sample.id, ()))
        return tries, is_row, crowded, not is_plain(sample), _level(sample), -rating(sample), sample.id

    def packed(self) -> dict[str, dict[str, float]]:
        """Outcomes by move as JSON values."""
        return {move: counts.packed() for move, counts in sorted(self.moves.items())}


def topic_of(sample: Sample) -> str:
    """Topic of a row, for its cell: its category, else the document of its evidence."""
    category = str(sample.metadata.get("category", ""))
    return category or (sample.evidence[-1].doc_id if sample.evidence else "")
