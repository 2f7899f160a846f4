"""Dates and periods as values, and their comparison."""

from __future__ import annotations

import calendar
from dataclasses import dataclass

from synth.text.normalise import to_simplified

_GREGORIAN = 1583
_WIDTH = str.maketrans("０１２３４５６７８９（）－／～", "0123456789()-/~")


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A day, a month or a year.

    A negative year is BC (-44 is 44 BC). There is no year 0.
    """

    year: int
    month: int | None = None
    day: int | None = None

    def before(self, other: Date) -> bool | None:
        """Return whether this date is earlier than `other`; None if the dates are too imprecise to tell."""
        for mine, theirs in zip(self._parts(), other._parts(), strict=True):
            if mine is None or theirs is None:
                return None
            if mine != theirs:
                return mine < theirs
        return False

    def _parts(self) -> tuple[int | None, int | None, int | None]:
        return self.year, self.month, self.day


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Period from `first` to `last`, both included. `last` is None if the end is open.

    The 1920s are 1920 to 1929, the 19th century is 1801 to 1900, the 5th century BC is 500 to 401 BC.
    """

    first: Date
    last: Date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDate:
    """Date or period in a text, at `text[start:end]`.

    `approximate` is True if the date comes with a word such as "about" or 约.
    """

    start: int
    end: int
    value: Date | Period
    approximate: bool = False


def made_date(year: int, month: int | None = None, day: int | None = None) -> Date | None:
    """Return the date, or None if the calendar has no such date (31 June, 29 February 1998, year 0)."""
    if year == 0 or (month is not None and not 1 <= month <= 12):
        return None
    if day is not None:
        leap = year % 4 == 0 if year < _GREGORIAN else calendar.isleap(year)
        longest = 29 if month == 2 and leap else calendar.monthrange(2023, month or 1)[1]
        if month is None or not 1 <= day <= longest:
            return None
    return Date(year=year, month=month, day=day)


def decade(year: int) -> Period:
    """Return the period of ten years that starts with `year`."""
    return Period(first=Date(year=year), last=Date(year=year + 9))


def century(number: int, *, before_christ: bool = False) -> Period:
    """Return the period of the century with this number: the 19th is 1801 to 1900."""
    first = -100 * number if before_christ else 100 * number - 99
    return Period(first=Date(year=first), last=Date(year=first + 99))


def spanned(first: Date | Period | None, last: Date | Period | None) -> Period | None:
    """Return the period between two dates.

    None if either is not a single date, if they are out of order, or if they are too imprecise to order.
    """
    if not isinstance(first, Date) or not isinstance(last, Date):
        return None
    return Period(first=first, last=last) if first.before(last) else None


def folded(text: str) -> str:
    """Return `text` in simplified script with ASCII digits, brackets and dashes. Offsets are unchanged."""
    return to_simplified(text).translate(_WIDTH)
