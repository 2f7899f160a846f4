"""Facts of a golden answer and of an answer: dates, numbers and other words, compared by value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from synth.evaluation.measuring.answer_amounts import Amount, answer_amounts
from synth.evaluation.measuring.answer_dates import PARTS, AnswerDate, answer_dates
from synth.evaluation.measuring.answer_names import slip
from synth.evaluation.measuring.answer_numerals import bound_at
from synth.evaluation.measuring.word_coverage import (
    ASKED_WEIGHT,
    MISSPELT_WORTH,
    NUMBER_WEIGHT,
    STEM_WORTH,
    content,
    weights,
)
from synth.text.language import HAN
from synth.text.normalise import fold_width, to_simplified
from synth.text.stems import stem

_WHOLE = 4
_DERIVED = ("al", "an", "ian", "n", "ese", "ly")
_KINDS = frozenset("市 省 县 州 国 人 语 文 区 镇 乡 村 河 江 湖 山 岛 族 队 共和国 王国".split())
"""Words that may follow a Chinese name without changing it, as in 北京市. Other words change it: 印度洋 is not 印度."""

_LEAST_STEM = 5
_ASKS_DATE = re.compile(
    r"\b(?:what|which|exact)\s(?:exact\s|calendar\s)?(?:date|day)\b|哪[一]?天|几月几[日号]|几号|日期|哪[一]?日",
    re.IGNORECASE,
)
_ARTICLES = ("a", "an", "the")
_HAN = re.compile(f"[{HAN}]")
_ACCENTS = re.compile("[\u0300-\u036f]")
# Search systems lose spaces and glue footnote numbers to words: "onMarch 24, 20171.", "in1979on", "Price1."
_GLUED = re.compile(r"[a-z]{2}(?:[A-Z]|\d)")
_GAPS = re.compile(r"(?<=[a-z]{2})(?=[A-Z]|\d)|(?<=\d{4})(?=[a-z]{2,}\b)")
_SLASH = re.compile(r"(?<=[A-Za-z]{3})/(?=[A-Za-z]{3})")
_RAISED = re.compile("(?<![\\dm])[\u00b9\u00b2\u00b3\u2070-\u2079]+|(?<=\\d{4})[\u00b9\u00b2\u00b3\u2070-\u2079]+")
_FOOTNOTE = re.compile(r"(?<=[a-z]{3})\d{1,3}(?=\.(?:\s|$))|(?<=(?<!\d)[12]\d{3})[1-9]\d?(?=\.(?:\s|$))")


_SURNAMES = str.maketrans("萧阎", "肖闫")
"""Surnames that mainland China wrote in two ways: 蕭 as 萧 and 肖, 閻 as 阎 and 闫.

Source: Table of General Standard Chinese Characters, 2013.
"""


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return `text` in simplified script and uniform width, without accents and footnotes, with joined words split."""
    plain = without_accents(text)
    plain = _SLASH.sub(" ", plain) if "/" in plain else plain
    return _GAPS.sub(" ", _FOOTNOTE.sub("", plain)) if _GLUED.search(plain) else plain


def without_accents(text: str) -> str:
    """Return `text` in simplified script and uniform width, without accents and superscript numbers."""
    if text.isascii():
        return text
    plain = to_simplified(fold_width(_RAISED.sub("", text))).translate(_SURNAMES)
    if plain.isascii():
        return plain
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", plain)))


Figure: TypeAlias = AnswerDate | Amount


@dataclass(frozen=True, slots=True)
class Facts:
    """Dates, numbers and other words of a text.

    `joined` is the words without gaps. `edges` contains the word boundaries in `joined`. `known` contains the distinct
    words.
    """

    dates: tuple[AnswerDate, ...]
    amounts: tuple[Amount, ...]
    words: tuple[str, ...]
    known: frozenset[str]
    stems: frozenset[str]
    joined: str
    edges: frozenset[int]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Dates and numbers."""
        return (*self.dates, *self.amounts)

    def has(self, text: str) -> bool:
        """Return whether `text` occurs in the joined words, from the edge of one word to the edge of another.

        Chinese words depend on their surroundings, so a Chinese text may also span parts of two words.
        """
        at = self.joined.find(text)
        while at >= 0:
            end = at + len(text)
            whole = at in self.edges and end in self.edges
            if whole or (self._in_chinese(at, end) and not self.edges.isdisjoint(range(at + 1, end))):
                return True
            at = self.joined.find(text, at + 1)
        return False

    def _in_chinese(self, start: int, end: int) -> bool:
        """Return whether each end of a span is a word edge or between two Chinese characters."""
        pair = (self.joined[max(0, place - 1) : place + 1] for place in (start, end) if place not in self.edges)
        return all(len(_HAN.findall(around)) == 2 for around in pair)

    def worth(self, word: str) -> float:
        """Return the value of a match of a word: 1 as written, less for its stem, less for a typo, 0 for no match."""
        if word in self.known:
            return 1.0
        if _HAN.match(word):
            return float(self.has(word) or any(word + ending in self.known for ending in _KINDS))
        if stem(word) in self.stems:
            return STEM_WORTH
        derived = len(word) >= _LEAST_STEM and any(word + ending in self.known for ending in _DERIVED)
        return MISSPELT_WORTH if derived or any(slip(word, other) for other in self.known) else 0.0


@lru_cache(maxsize=4096)
def facts(text: str) -> Facts:
    """Return the facts of a folded text."""
    dates, amounts = dates_and_amounts(text)
    words = content(without((*dates, *amounts), text))
    edges, place = {0}, 0
    for word in words:
        place += len(word)
        edges.add(place)
    known = frozenset(words)
    return Facts(dates, amounts, words, known, frozenset(map(stem, known)), "".join(words), frozenset(edges))


def dates_and_amounts(text: str) -> tuple[tuple[AnswerDate, ...], tuple[Amount, ...]]:
    """Return the dates of a folded text, and the numbers that are not part of a date."""
    dates, amounts = answer_dates(text), answer_amounts(text)
    measured = {amount.start for amount in amounts if amount.unit not in ("", "year")}
    dates = tuple(date for date in dates if date.start not in measured or date.parts.keys() != {"year"})
    taken = bytearray(len(text))
    for date in dates:
        taken[date.start : date.end] = b"\1" * (date.end - date.start)
    return dates, tuple(amount for amount in amounts if taken.find(1, amount.start, amount.end) < 0)


def without(figures: Iterable[Figure], text: str) -> str:
    """Return `text` with its dates and numbers replaced by spaces."""
    rest = list(text)
    for figure in figures:
        rest[figure.start : figure.end] = " " * (figure.end - figure.start)
    return "".join(rest)


@dataclass(frozen=True, slots=True)
class Covered:
    """Weight of a golden answer, and the part of it that an answer covers.

    `contradicted` means that the answer lacks a golden date or number and contains a different one.
    """

    total: float = 0.0
    reached: float = 0.0
    contradicted: bool = False

    @property
    def share(self) -> float:
        """Covered share, from 0 to 1."""
        return min(1.0, self.reached / self.total) if self.total else 0.0

    def __add__(self, other: Covered) -> Covered:
        return Covered(self.total + other.total, self.reached + other.reached, self.contradicted or other.contradicted)


def covered(golden: str, answer: str, asked: Facts) -> Covered:
    """Return the coverage of a golden answer by an answer, both folded. Words of the question (`asked`) weigh less.

    The golden answer is contradicted if the answer lacks a golden date or number and contains a different one. Dates
    and numbers that only repeat the question do not contradict.
    """
    wanted, given = facts(golden), facts(answer)
    by = weights(wanted.words, asked.stems)
    if wanted.figures:  # `content` keeps articles and marks that stand alone
        idle = [word in _ARTICLES or not any(map(str.isalnum, word)) for word in wanted.words]
        by = [0.0 if skip else weight for skip, weight in zip(idle, by, strict=True)]
    total, reached = sum(by), sum(by)
    if len(wanted.joined) < _WHOLE or not given.has(wanted.joined):
        reached = sum(weight * given.worth(word) for weight, word in zip(by, wanted.words, strict=True))
    left, missing = list(given.figures), False
    for figure in wanted.figures:
        if isinstance(figure, AnswerDate):
            weight, worth, match = _date(figure, given, asked, left)
        else:
            weight, worth, match = _amount(figure, given, asked, left)
        total += weight
        reached += worth
        if match in left:
            left.remove(match)
        else:
            missing = True
    return Covered(total, reached, missing and any(not _is_asked(other, asked) for other in left))


def _is_asked(figure: Figure, asked: Facts) -> bool:
    """Return whether the question contains a number, or all parts of a date."""
    if isinstance(figure, AnswerDate):
        return any(mine.alike(figure)[0] == figure.parts.keys() for mine in asked.dates)
    return any(says(figure, mine) for mine in asked.figures)


def _amount(amount: Amount, given: Facts, asked: Facts, left: Sequence[Figure]) -> tuple[float, float, Figure | None]:
    """Return the weight of a number, the weight that an answer covers, and the answer's figure that states it.

    A figure in the same unit is preferred.
    """
    weight = NUMBER_WEIGHT * (ASKED_WEIGHT if any(says(other, amount) for other in asked.figures) else 1.0)
    matches = [other for other in given.figures if says(other, amount)]
    free = frozenset(left)
    match = max(matches, key=lambda other: (other in free, getattr(other, "unit", "") == amount.unit), default=None)
    return weight, weight if match else 0.0, match


def _date(date: AnswerDate, given: Facts, asked: Facts, left: Sequence[Figure]) -> tuple[float, float, Figure | None]:
    """Return the weight of a date, the weight that an answer covers, and the figure that states the date.

    The most similar date of the answer covers the parts that both share, unless a shared part differs.
    """
    known = {part for other in asked.dates for part in date.alike(other)[0]}
    weight = {part: PARTS[part] * (ASKED_WEIGHT if part in known else 1.0) for part in date.parts}
    compared = [(other, *date.alike(other)) for other in given.dates]
    free = frozenset(left)
    best = max(compared, key=lambda of: (len(of[1] - known), len(of[1]), -len(of[2]), of[0] in free), default=None)
    if best and best[1] and not best[2]:
        return sum(weight.values()), sum(weight[part] for part in best[1]), best[0]
    match = next((amount for amount in given.amounts if says(amount, date)), None)
    return sum(weight.values()), sum(weight.values()) if match else 0.0, match


def opposed(golden: str, answer: str) -> bool:
    """Return whether the answer contains a golden figure, but only with a contradicting bound."""
    return any(bound_opposed(figure, golden, answer) for figure in facts(golden).figures)


def bound_opposed(figure: Figure, golden: str, answer: str) -> bool:
    """Return whether an answer contains a figure of the golden answer only with a contradicting bound.

    Examples: "before 1990" and "after 1990", "at least 50" and "more than 50".
    """
    bound = bound_at(golden, figure.start, figure.end)
    places = [other for other in facts(answer).figures if says(other, figure)]
    return bool(places) and all(bound.contradicts(bound_at(answer, place.start, place.end)) for place in places)


def lacks_day(golden: str, answer: str, question: str) -> bool:
    """Return whether the question asks for a date, the golden answer names a day, and the answer does not."""
    if not _ASKS_DATE.search(question) or not any(date.day for date in facts(golden).dates):
        return False
    return not any(date.day for date in facts(answer).dates)


def says(figure: Figure, wanted: Figure) -> bool:
    """Return whether the date or number `figure` states `wanted`. A number without a unit may be a year."""
    if isinstance(figure, AnswerDate) and isinstance(wanted, AnswerDate):
        same, other = wanted.alike(figure)
        return bool(same) and not other
    if isinstance(figure, Amount) and isinstance(wanted, Amount):
        return wanted.agrees(figure)
    amount, date = (figure, wanted) if isinstance(figure, Amount) else (wanted, figure)
    assert isinstance(amount, Amount)
    assert isinstance(date, AnswerDate)
    if isinstance(wanted, AnswerDate) and wanted.parts.keys() != {"year"}:
        return False
    return date.year == amount.value and amount.unit in ("", "year")
