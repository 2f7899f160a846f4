"""English names of months and weekdays."""

from __future__ import annotations

MONTHS = "January February March April May June July August September October November December".split()
MONTH_ABBREVIATIONS = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTH_PATTERN = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
"""Regular expression of a month, in full or abbreviated."""


def month_number(name: str) -> int:
    """Number of a month, from 1, by its first three letters in any case."""
    return next(number for number, month in enumerate(MONTHS, start=1) if month[:3] == name[:3].capitalize())
