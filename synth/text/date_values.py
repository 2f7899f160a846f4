"""Dates and periods as values: comparison, arithmetic and rendering."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date

from synth.text.calendar_names import MONTHS
from synth.text.normalise import to_simplified

_GREGORIAN = 1583
_WIDTH = str.maketrans("０１２３４５６７８９（）－／～", "0123456789()-/~")


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A day, a month or a year. Negative years are BC (-44 is 44 BC); there is no year 0."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def precision(self) -> str:
        """ "day", "month" or "year"."""
        if self.day is not None:
            return "day"
        return "year" if self.month is None else "month"

    def before(self, other: Date) -> bool | None:
        """Whether this is earlier than `other`; None when the precisions do not decide it."""
        for mine, theirs in zip(self._parts(), other._parts(), strict=True):
            if mine is None or theirs is None:
                return None
            if mine != theirs:
                return mine < theirs
        return False

    def rendered(self, language: str) -> str:
        """The date as an answer: "4 July 1776", "44 BC", 1998年5月3日, 公元前221年."""
        if language.startswith("zh"):
            year = f"{self.year}年" if self.year > 0 else f"公元前{-self.year}年"
            if 0 < self.year < 1000:
                year = "公元" + year
            return year + (f"{self.month}月" if self.month else "") + (f"{self.day}日" if self.day else "")
        year = f"{-self.year} BC" if self.year < 0 else f"AD {self.year}" if self.year < 1000 else str(self.year)
        month = MONTHS[self.month - 1] if self.month else ""
        return " ".join(part for part in (str(self.day) if self.day else "", month, year) if part)

    def _parts(self) -> tuple[int | None, int | None, int | None]:
        return self.year, self.month, self.day


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From `first` to `last`, both included; `last` is None for an open end.

    The 1920s are 1920 to 1929, the 19th century is 1801 to 1900, the 5th century BC is 500 to 401 BC.
    """

    first: Date
    last: Date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDate:
    """A date in a text, at `text[start:end]`; `approximate` when the span has a word such as "about" or 约."""

    start: int
    end: int
    value: Date | Period
    approximate: bool = False


def years_between(a: Date, b: Date) -> int | None:
    """Years from `a` to `b`, negative when `b` is earlier.

    The difference of the year numbers, one less from BC to AD because there is no year 0. None when the known months
    and days show that fewer full years have passed: from December 1998 to January 2000 is neither one year nor two.
    """
    early, late = (a, b) if _key(a) <= _key(b) else (b, a)
    years = late.year - early.year - (1 if early.year < 0 < late.year else 0)
    if early.month is not None and late.month is not None:
        if late.month < early.month:
            return None
        if late.month == early.month and early.day and late.day and late.day < early.day:
            return None
    return years if early is a else -years


def days_between(a: Date, b: Date) -> int | None:
    """Days from `a` to `b`, negative when `b` is earlier.

    None unless both have a day and lie in 1583 or later; before, the calendar is uncertain.
    """
    if a.month is None or a.day is None or b.month is None or b.day is None:
        return None
    if min(a.year, b.year) < _GREGORIAN or max(a.year, b.year) > 9999:
        return None
    return (date(b.year, b.month, b.day) - date(a.year, a.month, a.day)).days


def _key(value: Date) -> tuple[int, int, int]:
    return value.year, value.month or 0, value.day or 0


def made_date(year: int, month: int | None = None, day: int | None = None) -> Date | None:
    """The date, or None for one that does not exist (31 June, 29 February 1998, year 0)."""
    if year == 0 or (month is not None and not 1 <= month <= 12):
        return None
    if day is not None:
        leap = year % 4 == 0 if year < _GREGORIAN else calendar.isleap(year)
        longest = 29 if month == 2 and leap else calendar.monthrange(2023, month or 1)[1]
        if month is None or not 1 <= day <= longest:
            return None
    return Date(year=year, month=month, day=day)


def decade(year: int) -> Period:
    """The ten years from `year` on."""
    return Period(first=Date(year=year), last=Date(year=year + 9))


def century(number: int, *, before_christ: bool = False) -> Period:
    """The century with a number: the 19th is 1801 to 1900."""
    first = -100 * number if before_christ else 100 * number - 99
    return Period(first=Date(year=first), last=Date(year=first + 99))


def spanned(first: Date | Period | None, last: Date | Period | None) -> Period | None:
    """The period from one date to another; None when either is not a date or they are out of order."""
    if not isinstance(first, Date) or not isinstance(last, Date):
        return None
    return Period(first=first, last=last) if first.before(last) else None


def folded(text: str) -> str:
    """`text` in simplified script with ASCII digits, brackets and dashes; offsets are unchanged."""
    return to_simplified(text).translate(_WIDTH)
