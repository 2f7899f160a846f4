"""Dates of answers by their parts, in English and Chinese: "18 May", 2018年5月, "the 1970s".

`synth.text.dates` finds dates for questions. It requires a year that is marked as one. An answer may be a bare year, or
a day without a year.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from synth.text.calendar_names import MONTH_PATTERN, MONTHS, month_number
from synth.text.numerals import WRITTEN_DIGITS, read_chinese

_YEAR = r"[12]\d{3}"
_COUNT = r"\d{1,2}|[一二三四五六七八九十廿]{1,3}"
_ALONE = "|".join(MONTHS)
_CHINESE = re.compile(
    rf"(?:(?P<bc>(?:公元|西元)?前)\s?(?P<y_bc>\d{{1,4}})|(?<!\d)(?P<y>{_YEAR}|[一二][{WRITTEN_DIGITS}]{{3}}))\s?年(?!代)"
    rf"(?:\s?(?P<m>{_COUNT})\s?月(?:\s?(?P<d>{_COUNT})\s?[日号])?)?"
    rf"|(?P<century>\d\d)世纪(?P<tens>\d)0年代|(?<!\d)(?P<decade>{_YEAR})\s?年代"
    rf"|(?<![\d一二三四五六七八九十])(?P<m_only>{_COUNT})\s?月(?:\s?(?P<d_only>{_COUNT})\s?[日号])?",
    re.ASCII,
)
_ENGLISH = re.compile(
    rf"(?<![\d.$£€¥#:/+])(?<!\d,)(?:(?P<y_iso>{_YEAR})(?P<sep>[-/.])(?P<m_iso>\d{{1,2}})(?P=sep)(?P<d_iso>\d{{1,2}})(?![\d/-])"
    rf"|(?P<first>\d{{1,2}})(?P<slash>[-/.])(?P<second>\d{{1,2}})(?P=slash)(?P<y_last>{_YEAR}|(?<=/)\d\d)(?![\d/])"
    rf"|(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m>{MONTH_PATTERN})(?!\w)(?:,?\s(?P<y>{_YEAR})(?!\d))?"
    rf"|(?P<y_bc>\d{{1,4}})\s?(?:BCE?\b|B\.C\.)|(?P<y_ad>\d{{1,4}})\s?(?:AD|CE)\b"
    rf"|(?P<decade>[12]\d{3})['’]?s\b"
    rf"|(?P<y_from>{_YEAR})[-\u2013\u2014/](?P<y_until>\d\d)(?![\d%/-])"
    rf"|(?P<y_bare>{_YEAR})(?![,.:/]?\d|[a-z%°年月米千公个人名座次分秒万亿元位厘毫吨英件种家户条]|\s?(?:million|billion|thousand)))"
    rf"|\b(?:(?P<m_first>{MONTH_PATTERN})\s?(?:the\s)?(?P<d_after>\d{{1,2}})(?:st|nd|rd|th)?(?![\d%]|[.:,]\d)"
    rf"(?:,?\s(?:in\s)?(?P<y_after>{_YEAR})(?!\d))?"
    rf"|(?P<m_year>{MONTH_PATTERN})(?:,|\sof)?\s(?P<y_month>{_YEAR})(?!\d)|(?P<m_only>{_ALONE})\b)",
    re.ASCII,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:\"“]\s*)$")
_TEXT_END = re.compile(r"[ .]*\Z")
_LONGEST_GAP = 100
"""Maximum number of characters between a mark and the first word of a sentence."""

_SHORT_YEARS_FROM = 69
"""First two-digit year that belongs to the 20th century, as in POSIX."""

PARTS = {"year": 2.0, "month": 1.0, "day": 1.0}
"""Weight of each part. The year counts as much as month and day together."""


@dataclass(frozen=True, slots=True)
class AnswerDate:
    """A date at `text[start:end]`; missing parts are None. A year BC is negative.

    `decade` marks the ten years from `year`. `ambiguous` marks a date such as 01/02/2023, whose day and month may be
    swapped.
    """

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    decade: bool = False
    ambiguous: bool = False

    @property
    def parts(self) -> dict[str, int]:
        """Parts that the date has, by name."""
        return {name: value for name in PARTS if (value := getattr(self, name)) is not None}

    def alike(self, other: AnswerDate) -> tuple[set[str], set[str]]:
        """Return the shared parts that agree, and the shared parts that differ.

        An ambiguous date is read in the way that agrees best with the other date.
        """
        if self.ambiguous or other.ambiguous:
            turned = replace(self, month=self.day, day=self.month, ambiguous=False)
            readings = (replace(self, ambiguous=False), turned)
            plain = replace(other, ambiguous=False)
            return max((reading.alike(plain) for reading in readings), key=lambda of: len(of[0]) - len(of[1]))
        mine, theirs = self.parts, other.parts
        both = mine.keys() & theirs.keys()
        same = {part for part in both if mine[part] == theirs[part] and (part != "year" or self.decade == other.decade)}
        return same, both - same


@lru_cache(maxsize=2048)
def answer_dates(text: str) -> tuple[AnswerDate, ...]:
    """Return the dates of a text, in order. In "3/4/2020" either part may be the month.

    The text must be folded in width and script.
    """
    dates: list[AnswerDate] = []
    taken = bytearray(len(text))
    for match in (
        (*_CHINESE.finditer(text), *_ENGLISH.finditer(text))
        if "年" in text or "月" in text
        else _ENGLISH.finditer(text)
    ):
        read = match.groupdict()
        if read.get("m_only") in ("May", "March") and not _is_month(text, *match.span()):
            continue
        if taken.find(1, *match.span()) < 0:
            for date in _dates(match, read):
                dates.append(date)
                taken[date.start : date.end] = b"\1" * (date.end - date.start)
    return tuple(sorted((date for date in dates if _exists(date)), key=lambda date: date.start))


def _is_month(text: str, start: int, end: int) -> bool:
    """Return whether "May" or "March" is neither the first word of a sentence nor the start of a name."""
    if _TEXT_END.match(text, end):
        return True
    return not (_SENTENCE_START.search(text, max(0, start - _LONGEST_GAP), start) or text[end + 1 : end + 2].isupper())


def _exists(date: AnswerDate) -> bool:
    return 1 <= (date.month or 1) <= 12 and 1 <= (date.day or 1) <= 31


def _dates(match: re.Match[str], read: dict[str, str | None]) -> list[AnswerDate]:
    """Return the dates of a match: two for a range such as 1931-36, otherwise one."""

    def part(letter: str) -> int | None:
        return next(
            (
                _count(value)
                for name, value in read.items()
                if value and (name == letter or name.startswith(letter + "_"))
            ),
            None,
        )

    start, end = match.span()
    year, month, day = part("y"), part("m"), part("d")
    if (first := read.get("first")) and (second := read.get("second")):
        month, day = (int(second), int(first)) if int(first) > 12 else (int(first), int(second))
        if year is not None and year < 100:
            year += 1900 if year >= _SHORT_YEARS_FROM else 2000
        return [AnswerDate(start, end, year, month, day, ambiguous=max(month, day) <= 12 and month != day)]
    if read.get("tens"):
        return [AnswerDate(start, end, (int(match["century"]) - 1) * 100 + int(match["tens"]) * 10, decade=True)]
    if decade := read.get("decade"):
        return [AnswerDate(start, end, int(decade), decade=True)]
    if until := read.get("y_until"):
        first_year = int(match["y_from"])
        return [AnswerDate(start, end, first_year), AnswerDate(start, end, first_year - first_year % 100 + int(until))]
    if read.get("y_bc") and year:
        year = -year
    return [AnswerDate(start, end, year, month, day)]


def _count(text: str) -> int | None:
    if text[0].isalpha() and text[0].isascii():
        return month_number(text)
    value = int(text) if text.isascii() else read_chinese(text)
    return None if value is None else int(value)
