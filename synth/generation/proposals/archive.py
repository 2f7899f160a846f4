"""Archive of questions that can be developed into better ones, and the moves that do so.

A move turns a question (the parent) into another (the child), by a request to the author model.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from synth.core.records import Sample
from synth.corpus.corpus import Corpus
from synth.corpus.sections import Section
from synth.generation.difficulty import LEVELS
from synth.generation.filters.base import RATINGS
from synth.generation.proposals.candidates import WORTH
from synth.generation.proposals.pool import is_plain, rating
from synth.text.language import is_chinese
from synth.text.shared_wording import shared_wording

MOVES: Mapping[str, tuple[str, ...]] = {
    "simple": ("reword", "constrain", "concretise", "generalise"),
    "reasoning": ("deepen", "compare"),
    "conditional": ("turn", "condition"),
}
"""Moves that develop a question into another, by the type of the new question.

Questions over several passages come from paths instead.
"""

EVOLVED_SHARES: Mapping[str, float] = {"simple": 0.7, "reasoning": 0.7, "conditional": 0.7}
"""Share (0 to 1) of the rows of a type that are developed from other questions, if possible.

A question is developed when a move turns it into a better one. In a blind reading, one move raised the mean worth (1 to
5) of rows from 2.8 to 4.5 in English, and from 3.5 to 4.3 in Chinese. Two people also read two sets of 20 rows each.
The 13 developed rows had a mean worth of 4.0. The 14 simple rows that were not developed had 2.9.
"""

TWO_SIDED = "rule with two sides"
"""Kind of statement: a rule that says what holds if its condition is met, and what holds if it is not met."""

FROM: Mapping[str, frozenset[str]] = {
    "reasoning": frozenset({"rule", "cause", "list", "procedure", "faq"}),
    "conditional": frozenset({TWO_SIDED}),
}
"""Kinds of statement by question type. A question can be developed into the type only if it asks about such a kind.

A question about a bare attribute, event or definition can only be reworded or narrowed.
"""

OWN_WORDS = 0.45
"""Maximum share (0 to 1) of question words in the passage for a question to count as in the asker's own words."""

_CONDITIONS = 2  # minimum words for conditions in a passage that probably gives a conditional question
_OF_SECTION = 2  # maximum questions of one section in a request that develops them
_ROWS_OF_A_PARENT = 0.6  # expected rows from developing a question
_LOG_QUESTIONS = 300
_LESS_OVERLAP = 0.1  # minimum decrease of the share of words that a reworded question shares with its passage


def evolved_shares(asked: Sequence[str], corpus: Corpus) -> dict[str, float]:
    """Return the share of developed rows per type, for a set that should resemble the questions `asked`.

    For simple questions, it is the share of `asked` questions in the asker's own words, but at least the default.
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
    """Return the reason why a child is no better than its parent, or "".

    A better child is harder, of another type, rated higher by the judge, or shares fewer words with its passage.
    """
    if child.question_type != parent.question_type:
        return ""
    if _level(child) > _level(parent) or _by_judge(child) > _by_judge(parent):
        return ""
    if _overlap(parent) - _overlap(child) >= _LESS_OVERLAP:
        return ""
    return (
        "no better than the question that it was developed from: no harder, of the same type, rated no higher, and in "
        "similar words"
    )


def _by_judge(sample: Sample) -> float:
    """Return the sum of the judge's ratings. The author's is left out: authors favour their latest text."""
    return float(sum(value for name, value in sample.metadata.get(RATINGS, {}).items() if name != WORTH))


def _level(sample: Sample) -> int:
    level = str(sample.metadata.get("difficulty", LEVELS[0]))
    return LEVELS.index(level) if level in LEVELS else 0


def _overlap(sample: Sample) -> float:
    signals = sample.metadata.get("difficulty_signals", {})
    return float(signals.get("overlap", {}).get("words", 1.0))


@dataclass(slots=True)
class MoveCounts:
    """Outcomes of a move.

    `tried` counts the children written, `kept` those that passed rules, judge and comparison. `rated` and `parents` are
    the sums of the ratings of kept children and of their parents.
    """

    tried: int = 0
    kept: int = 0
    rated: float = 0.0
    parents: float = 0.0

    def packed(self) -> dict[str, float]:
        """Return the counts as JSON values, with the mean ratings, 1 to 5, of kept children and their parents."""
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
    """Questions that can be developed, and counts of the rows by type, difficulty and topic.

    The next parent (question to develop) is chosen by several criteria. First come questions that were not taken as
    rows, then questions whose section is already in the request, then questions whose topic has the fewest rows. Ties
    go to plain facts, easy questions and high ratings, in this order. Each question is developed in one request only.
    """

    rows: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    moves: dict[str, MoveCounts] = field(default_factory=dict)
    _questions: dict[str, tuple[Section, Sample]] = field(default_factory=dict)
    _developed: set[str] = field(default_factory=set)
    _are_rows: set[str] = field(default_factory=set)
    _kinds: dict[str, frozenset[str]] = field(default_factory=dict)

    def can_give(self, kind: str) -> bool:
        """Return whether a question is left that can be developed into a type."""
        return any(self._untried(name, (kind,)) for name in self._questions)

    def left(self, kind: str = "") -> int:
        """Return how many questions can be developed into `kind`.

        If `kind` is "", return how many questions were not developed yet.
        """
        if not kind:
            return sum(name not in self._developed for name in self._questions)
        return sum(bool(self._untried(name, (kind,))) for name in self._questions)

    def is_over(self, kind: str) -> bool:
        """Return whether the archive contains questions, but none that can be developed into a type."""
        return bool(self._questions) and not self.can_give(kind)

    def add(self, section: Section, sample: Sample, kinds: Collection[str] = ()) -> None:
        """Store a simple question on one passage, to be developed later. Any other question is ignored.

        `kinds` are the kinds of the statements that it asks about. They determine the types it can become (`FROM`).
        Without `kinds` it can become any type.
        """
        if sample.question_type == "simple" and not sample.evolutions:
            self._questions.setdefault(sample.id, (section, sample))
            self._kinds.setdefault(sample.id, frozenset(kinds))

    def claim(self, samples: Iterable[Sample]) -> None:
        """Record that questions are being judged to become rows themselves."""
        self._are_rows.update(sample.id for sample in samples)

    def count(self, sample: Sample) -> None:
        """Count a row by its type, difficulty and topic."""
        self.rows[sample.question_type, str(sample.metadata.get("difficulty", "")), topic_of(sample)] += 1
        self._are_rows.add(sample.id)

    def learn(self, move: str, parent: Sample, child: Sample | None) -> None:
        """Record the outcome of a move. `child` is the new question if it was kept, else None."""
        counts = self.moves.setdefault(move, MoveCounts())
        counts.tried += 1
        if child is not None:
            counts.kept += 1
            counts.rated += rating(child)
            counts.parents += rating(parent)

    def parents(self, rows: Mapping[str, float], count: int, *, full: bool = False) -> list[Parent]:
        """Return the next questions to develop for the missing `rows` of each type, in one language.

        At most two questions come from one section. Each is developed either into a better simple question or into
        questions of other types. If `full`, the result has `count` questions or none.
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
        self._developed.update(parent.sample.id for parent in chosen)
        return chosen

    def _next(self, types: Sequence[str], chosen: Sequence[Parent]) -> Parent | None:
        """Return the next question to develop into some types, besides the chosen ones, or None."""
        names, homes = {one.sample.id for one in chosen}, Counter(one.section.section_id for one in chosen)
        # A section that the request already shows costs nothing more.
        fit = [
            (self._order(types, sample, shown=bool(homes[section.section_id])), section, sample, left)
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
        if name in self._developed:
            return ()
        about = self._kinds.get(name, frozenset())
        return tuple(kind for kind in types if not about or kind not in FROM or not about.isdisjoint(FROM[kind]))

    def _order(
        self, types: Sequence[str], sample: Sample, *, shown: bool
    ) -> tuple[bool, bool, int, bool, int, float, str]:
        topic, is_row = topic_of(sample), sample.id in self._are_rows
        crowded = sum(self.rows[kind, level, topic] for kind in types for level in LEVELS)
        return is_row, not shown, crowded, not is_plain(sample), _level(sample), -rating(sample), sample.id

    def packed(self) -> dict[str, dict[str, float]]:
        """Return the outcomes by move as JSON values."""
        return {move: counts.packed() for move, counts in sorted(self.moves.items())}


def has_two_sides(text: str, language: str) -> bool:
    """Return whether a rule may have a second side, by its words (`two_sided.json`)."""
    pattern = _two_sided("patterns").get("zh" if is_chinese(language) else language)
    return pattern is None or pattern.search(text.casefold()) is not None


def has_conditions(text: str, language: str) -> bool:
    """Return whether a passage contains several words for conditions (`two_sided.json`).

    On four folders, 19 of 40 such passages gave a conditional question, and 14 of 78 others.
    """
    pattern = _two_sided("conditions").get("zh" if is_chinese(language) else language)
    return pattern is not None and len(pattern.findall(text.casefold())) >= _CONDITIONS


@cache
def _two_sided(table: str) -> Mapping[str, re.Pattern[str]]:
    patterns = json.loads(files("synth.generation.proposals").joinpath("two_sided.json").read_text("utf-8"))[table]
    return {language: re.compile(pattern) for language, pattern in patterns.items()}


def topic_of(sample: Sample) -> str:
    """Return the topic of a row: its category, else the document of its evidence."""
    category = str(sample.metadata.get("category", ""))
    return category or (sample.evidence[-1].doc_id if sample.evidence else "")
