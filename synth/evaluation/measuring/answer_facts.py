"""The facts of a golden answer and of an answer: dates, numbers and the other words, compared by value."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from synth.evaluation.measuring.answer_amounts import Amount, answer_amounts
from synth.evaluation.measuring.answer_dates import PARTS, AnswerDate, answer_dates
from synth.evaluation.measuring.answer_names import slip
from synth.evaluation.measuring.answer_normalisation import HAN
from synth.evaluation.measuring.word_coverage import (
    ASKED_WEIGHT,
    MISSPELT_WORTH,
    NUMBER_WEIGHT,
    STEM_WORTH,
    content,
    weights,
)
from synth.text.normalise import fold_width, to_simplified
from synth.text.stems import stem

_WHOLE = 4
_DERIVED = ("al", "an", "ian", "n", "ese", "ly")
_LEAST_STEM = 5
_HAN = re.compile(f"[{HAN}]")
_ACCENTS = re.compile("[\u0300-\u036f]")
# Search systems lose spaces and glue the numbers of footnotes to words: "onMarch 24, 20171.", "in1979on", "Price1."
_GLUED = re.compile(r"[a-z]{2}(?:[A-Z]|\d)")
_GAPS = re.compile(r"(?<=[a-z]{2})(?=[A-Z]|\d)|(?<=\d{4})(?=[a-z]{2,}\b)")
_SLASH = re.compile(r"(?<=[A-Za-z]{3})/(?=[A-Za-z]{3})")
_RAISED = re.compile("(?<![\\dm])[\u00b9\u00b2\u00b3\u2070-\u2079]+|(?<=\\d{4})[\u00b9\u00b2\u00b3\u2070-\u2079]+")
_FOOTNOTE = re.compile(r"(?<=[a-z]{3})\d{1,3}(?=\.(?:\s|$))|(?<=(?<!\d)[12]\d{3})[1-9]\d?(?=\.(?:\s|$))")


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """`text` in simplified script, without width, accents, and what search systems glue to words."""
    plain = to_simplified(fold_width(_RAISED.sub("", text)))
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", plain)))
    plain = _SLASH.sub(" ", plain)
    return _GAPS.sub(" ", _FOOTNOTE.sub("", plain)) if _GLUED.search(plain) else plain


@dataclass(frozen=True, slots=True)
class Facts:
    """A text as dates, numbers and the other words, which `joined` has without gaps; `edges` are their bounds in it."""

    dates: tuple[AnswerDate, ...]
    amounts: tuple[Amount, ...]
    words: tuple[str, ...]
    known: frozenset[str]
    stems: frozenset[str]
    joined: str
    edges: frozenset[int]

    @property
    def numbers(self) -> list[Amount]:
        """The numbers, with the years of dates."""
        return [*self.amounts, *(Amount(date.start, date.end, Decimal(date.year)) for date in self.dates if date.year)]

    def has(self, text: str) -> bool:
        """Return whether `text` stands in the words from the edge of one to the edge of another.

        Chinese is cut into words by what is around them, so there it is enough that it is not within one word.
        """
        at = self.joined.find(text)
        while at >= 0:
            end = at + len(text)
            if self._bound(at) and self._bound(end) and (len(text) == 1 or not self.edges.isdisjoint(range(at, end + 1))):
                return True
            at = self.joined.find(text, at + 1)
        return False

    def _bound(self, place: int) -> bool:
        return place in self.edges or bool(_HAN.match(self.joined, place) and _HAN.match(self.joined, place - 1))

    def worth(self, word: str) -> float:
        """The worth of a match of a word: 1 as written, less by its stem, less with a slip of the pen, 0 for none."""
        if word in self.known:
            return 1.0
        if _HAN.match(word):
            return float(self.has(word))
        if stem(word) in self.stems:
            return STEM_WORTH
        derived = len(word) >= _LEAST_STEM and any(word + ending in self.known for ending in _DERIVED)
        return MISSPELT_WORTH if derived or any(slip(word, other) for other in self.known) else 0.0


@lru_cache(maxsize=4096)
def facts(text: str) -> Facts:
    """The facts of a folded text."""
    dates = answer_dates(text)
    amounts = tuple(a for a in answer_amounts(text) if all(a.start >= d.end or d.start >= a.end for d in dates))
    rest = list(text)
    for fact in (*dates, *amounts):
        rest[fact.start : fact.end] = " " * (fact.end - fact.start)
    words = content("".join(rest))
    edges, place = {0}, 0
    for word in words:
        place += len(word)
        edges.add(place)
    known = frozenset(words)
    return Facts(dates, amounts, words, known, frozenset(map(stem, known)), "".join(words), frozenset(edges))


@dataclass(frozen=True, slots=True)
class Coverage:
    """Weight of a golden answer, and of what an answer has of it; `contradicted` when another date or number is there."""

    total: float = 0.0
    reached: float = 0.0
    contradicted: bool = False

    @property
    def share(self) -> float:
        """The covered share, from 0 to 1."""
        return min(1.0, self.reached / self.total) if self.total else 0.0

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(
            self.total + other.total, self.reached + other.reached, self.contradicted or other.contradicted
        )


def covered(golden: str, answer: str, asked: Facts) -> Coverage:
    """The coverage of a golden answer by an answer, both folded; what the question has (`asked`) weighs less."""
    wanted, given = facts(golden), facts(answer)
    by = weights(wanted.words, asked.stems)
    if len(wanted.joined) >= _WHOLE and given.has(wanted.joined):
        reached = sum(by)
    else:
        reached = sum(weight * given.worth(word) for weight, word in zip(by, wanted.words, strict=True))
    dates = (_date(date, given, asked) for date in wanted.dates)
    amounts = (_amount(amount, wanted, given, asked) for amount in wanted.amounts)
    return sum((*dates, *amounts), Coverage(sum(by), reached))


def _date(date: AnswerDate, given: Facts, asked: Facts) -> Coverage:
    """The parts of a date that agree with the most similar date of the answer, which must differ in none."""
    known = {part for other in asked.dates for part in date.alike(other)[0]}
    parts = date.parts
    weight = {part: PARTS[part] * (ASKED_WEIGHT if part in known else 1.0) for part in parts}
    total = sum(weight.values())
    if parts.keys() == {"year"} and any(Amount(0, 0, Decimal(parts["year"])).agrees(other) for other in given.amounts):
        return Coverage(total, total)
    compared = [date.alike(other) for other in given.dates]
    if not compared:
        return Coverage(total)
    same, other = max(compared, key=lambda both: (len(both[0] - known), len(both[0]), -len(both[1])))
    return Coverage(total, 0.0 if other else sum(weight[part] for part in same), bool(other))


def _amount(amount: Amount, wanted: Facts, given: Facts, asked: Facts) -> Coverage:
    """A number is there, or missing, or contradicted by another one that neither question nor golden answer has."""
    weight = NUMBER_WEIGHT * (ASKED_WEIGHT if any(amount.agrees(other) for other in asked.numbers) else 1.0)
    if any(amount.agrees(other) for other in given.numbers):
        return Coverage(weight, weight)
    known = (*wanted.amounts, *asked.amounts)
    return Coverage(weight, 0.0, any(not any(mine.agrees(other) for mine in known) for other in given.amounts))
