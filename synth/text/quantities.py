"""Quantities in English and Chinese text and in answers.

A quantity is a number with a unit or with the noun that it counts. Vague numbers (几十, "dozens"), ranges, rates ("$30
a month", 每人30元) and sums of two units ("5 ft 11 in") are left out. Ordinals, labels ("chapter 3", "HTTP 404"),
versions and dates are left out too. The library quantulum3 is not used: it takes seconds to import, returns floats,
knows no Chinese, and finds a quantity in "HTTP 404".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from synth.text.date_values import folded
from synth.text.dates import find_dates
from synth.text.quantities_chinese import chinese_quantities
from synth.text.quantities_english import english_quantities
from synth.text.quantity_values import Quantity, same

__all__ = [
    "FoundQuantity",
    "Quantity",
    "find_quantities",
    "read_quantity",
    "same",
]

_LONGEST = 120
_CACHED = 1 << 14
"""Number of texts whose quantities are cached. Filters compare the same sentences with many answers."""

_JUNK = " \t\n\r\u3000。，,;；:：、!！?？\"'“”‘’「」『』()（）"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundQuantity:
    """Quantity in a text, at `text[start:end]`. The span includes words such as "about", 约 or 以上."""

    start: int
    end: int
    value: Quantity


@lru_cache(maxsize=_CACHED)
def find_quantities(text: str, language: str) -> tuple[FoundQuantity, ...]:
    """Return the quantities of a text, in order. Quantities overlap neither each other nor dates.

    `language` is "en", "zh-Hans" or "zh-Hant"; for any other language the tuple is empty. Offsets count characters.
    """
    dates = [(date.start, date.end) for date in find_dates(text, language)]
    if language.startswith("zh"):
        spans = chinese_quantities(text, folded(text), dates, traditional=language == "zh-Hant")
    else:
        spans = english_quantities(text, dates) if language == "en" else []
    return tuple(FoundQuantity(start=start, end=end, value=value) for start, end, value in spans)


def read_quantity(text: str, language: str) -> Quantity | None:
    """Return the quantity that `text` as a whole states, or None if it states none.

    A bare number is a count without a noun.
    """
    if len(text) > _LONGEST:
        return None
    plain = text.strip(_JUNK)
    plain = plain.removesuffix(".") if plain[-2:-1].isalnum() else plain
    if language.startswith("zh"):
        spans = chinese_quantities(plain, folded(plain), [], traditional=language == "zh-Hant", whole=True)
    else:
        spans = english_quantities(plain, [], whole=True) if language == "en" else []
    return spans[0][2] if len(spans) == 1 and spans[0][:2] == (0, len(plain)) else None
