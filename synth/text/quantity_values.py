"""Values of quantities, and their comparison across units."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from synth.text.normalise import to_simplified
from synth.text.units import UNITS, Unit

_IRREGULAR = {
    "men": "man",
    "women": "woman",
    "children": "child",
    "feet": "foot",
    "teeth": "tooth",
    "mice": "mouse",
    "geese": "goose",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """An amount with its unit, or a count with its noun.

    `value` is exact. `unit` is an id of `units.UNITS`, or "" for a count. A count has a `noun` ("rooms", 船; "" for a
    bare number) and in Chinese a `measure` word (艘). `dimension` is the dimension of the unit, or "count" if there is
    no unit. `bound` is "", "at least", "at most", "more than" or "less than". `approximate` is True for "about" or
    左右.
    """

    value: Decimal
    unit: str = ""
    dimension: str = "count"
    noun: str = ""
    measure: str = ""
    approximate: bool = False
    bound: str = ""

    @property
    def in_base(self) -> Decimal:
        """Value in the base unit: 1.5 km is 1500 m, 8 GB is 64000000000 bit."""
        return self.value * UNITS[self.unit].ratio if self.unit else self.value

    @property
    def exact(self) -> bool:
        """Whether the quantity is neither approximate nor a bound."""
        return not self.approximate and not self.bound


def quantity_of(value: Decimal, unit: Unit) -> Quantity:
    """Return the quantity of `value` times `unit`."""
    return Quantity(value=value, unit=unit.unit_id, dimension=unit.dimension)


def comparable(a: Quantity, b: Quantity) -> bool:
    """Return whether two quantities can be ordered: they need the same dimension, base unit and noun."""
    if a.dimension != b.dimension or _base(a) != _base(b):
        return False
    return bool(a.unit) or one_noun(a.noun) == one_noun(b.noun)


def same(a: Quantity, b: Quantity) -> bool:
    """Return whether two quantities are equal in any units: "8 GB" and "8GB", 1.5 km and 1500 m.

    Bounds must be equal; `approximate` is ignored. A bare number equals the same number of any noun.
    """
    if a.bound != b.bound:
        return False
    if not a.unit and not b.unit and not (a.noun and b.noun):
        return a.value == b.value
    return comparable(a, b) and a.in_base == b.in_base


def _base(quantity: Quantity) -> str:
    return UNITS[quantity.unit].base if quantity.unit else ""


def one_noun(noun: str) -> str:
    """Return the normal form of a counted noun: simplified, lower case, its last word singular."""
    return _singular(to_simplified(noun).casefold().strip())


def _singular(noun: str) -> str:
    """Singular of a noun phrase whose last word is in lower case."""
    lead, space, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif re.search(r"[^aeiou]ies$", last) and len(last) > 4:
        last = last[:-3] + "y"
    elif re.search(r"(?:ss|x|ch|sh|zz)es$", last):
        last = last[:-2]
    elif last.isascii() and last.endswith("s") and not last.endswith(("ss", "us", "is")):
        last = last[:-1]
    return lead + space + last
