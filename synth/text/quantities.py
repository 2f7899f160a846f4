"""Quantities as values: found in English and Chinese text, and read from an answer.

Only what the text decides is found: a number with a unit or with the noun that it counts. Vague numbers
(几十, "dozens"), ranges, rates ("$30 a month", 每人30元), sums of two units ("5 ft 11 in"), ordinals, labels
("chapter 3", "HTTP 404"), versions and dates are no quantities. Our own and not quantulum3: that takes
seconds to import, reads floats, knows no Chinese, and finds a quantity in "HTTP 404".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from synth.text.date_values import folded
from synth.text.dates import find_dates
from synth.text.quantities_chinese import chinese_quantities
from synth.text.quantities_english import english_quantities
from synth.text.quantity_values import BOUNDS, Quantity, comparable, difference, ratio, same

__all__ = [
    "BOUNDS",
    "FoundQuantity",
    "Quantity",
    "comparable",
    "difference",
    "find_quantities",
    "ratio",
    "read_quantity",
    "same",
    "worded_like",
]

_LONGEST = 120
_KEPT = 1 << 14
"""Texts whose reading is kept: filters hold the same sentences against many answers."""

_JUNK = " \t\n\r\u3000。，,;；:：、!！?？\"'“”‘’「」『』()（）"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundQuantity:
    """`text[start:end]` says `value`, words such as "about", 约 or 以上 included."""

    start: int
    end: int
    value: Quantity


@lru_cache(maxsize=_KEPT)
def find_quantities(text: str, language: str) -> tuple[FoundQuantity, ...]:
    """The quantities of a text, in order, none overlapping another or a date.

    `language` is "en", "zh-Hans" or "zh-Hant"; other languages have none. Offsets count characters.
    """
    taken = [(date.start, date.end) for date in find_dates(text, language)]
    if language.startswith("zh"):
        found = chinese_quantities(text, folded(text), taken, traditional=language == "zh-Hant")
    else:
        found = english_quantities(text, taken) if language == "en" else []
    return tuple(FoundQuantity(start=start, end=end, value=value) for start, end, value in found)


def worded_like(quantity: Quantity, model: str, language: str) -> str:
    """The quantity written with the unit of another as it is spelled there: "1 metre" after "49 metres", 4公尺.

    As `Quantity.rendered` where the other has no such unit.
    """
    usual = quantity.rendered(language)
    number, unit = re.match(r"[\d.,]+", usual), re.fullmatch(r"[\d.,]+(\s?[^\d\s][^\d]*)", model.strip())
    if number is None or unit is None or (language == "en" and re.match(r"1\s", model) and quantity.value != 1):
        return usual
    spelled = unit[1].removesuffix("s") if language == "en" and quantity.value == 1 else unit[1]
    written = number[0] + spelled
    read = read_quantity(written, language)
    return written if read is not None and same(read, quantity) and read.noun == quantity.noun else usual


@lru_cache(maxsize=_KEPT)
def read_quantity(text: str, language: str) -> Quantity | None:
    """The quantity that the whole of `text` is, or None; here a bare number is one, a count of no noun."""
    if len(text) > _LONGEST:
        return None
    plain = text.strip(_JUNK)
    plain = plain.removesuffix(".") if plain[-2:-1].isalnum() else plain
    if language.startswith("zh"):
        found = chinese_quantities(plain, folded(plain), [], traditional=language == "zh-Hant", whole=True)
    else:
        found = english_quantities(plain, [], whole=True) if language == "en" else []
    if len(found) == 1 and (found[0][0], found[0][1]) == (0, len(plain)):
        return found[0][2]
    return None
