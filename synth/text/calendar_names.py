"""English names of months and weekdays."""

from __future__ import annotations

MONTHS = "January February March April May June July August September October November December".split()
MONTH_ABBREVIATIONS = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTH_PATTERN = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|Jun(?:e|\.)?|Jul(?:y|\.)?|Aug(?:ust|\.)?"
    r"|Sep(?:tember|t?\.?)|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
"""Regular expression of a month name, in full or abbreviated, without word boundaries."""


def month_number(name: str) -> int:
    """Number of a month from 1 to 12, by its first three letters, ignoring case. Raises ValueError for another name."""
    return [month[:3] for month in MONTHS].index(name[:3].capitalize()) + 1
