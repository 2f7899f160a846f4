"""English names of months and weekdays."""

from __future__ import annotations

MONTHS = "January February March April May June July August September October November December".split()
MONTH_ABBREVIATIONS = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTH_PATTERN = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|Jun(?:e|\.)?|Jul(?:y|\.)?|Aug(?:ust|\.)?"
    r"|Sep(?:tember|t?\.?)|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
"""Regular expression for the full or abbreviated name of a month, without word boundaries."""


def month_number(name: str) -> int:
    """Return the number of a month, 1 to 12, from the first three letters of its name, ignoring case.

    Raises ValueError if no month starts with these letters.
    """
    return [month[:3] for month in MONTHS].index(name[:3].capitalize()) + 1
