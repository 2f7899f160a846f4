"""Quantities as values: exact arithmetic, comparison across units, and rendering."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

from synth.text.normalise import to_simplified
from synth.text.units import UNITS, Unit

BOUNDS = ("", "at least", "at most", "more than", "less than")
_WORDS = frozenset("ms s minute hour day week month year decade century person knot degree acre hectare point".split())
_PREFIXED = {"usd": "$", "gbp": "£", "eur": "€", "hkd": "HK$", "twd": "NT$"}
_ENGLISH_SCALES = (("trillion", 10**12), ("billion", 10**9), ("million", 10**6))
_CHINESE_SCALES = (("万亿", 10**12), ("亿", 10**8), ("万", 10**5))
_CHINESE_BOUNDS = {"at least": "至少", "at most": "最多", "more than": "超过", "less than": "不到"}
_TRADITIONAL = str.maketrans("万亿过约", "萬億過約")
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

    `value` is exact. `unit` is an id of `units.UNITS`, "" for a count; a count has a `noun` ("rooms", 船; "" for a bare
    number) and in Chinese a `measure` word (艘). `dimension` is that of the unit, "count" without one. `bound` is one
    of BOUNDS; `approximate` stands for "about" or 左右.
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
        """Whether it is neither approximate nor a bound."""
        return not self.approximate and not self.bound

    def rendered(self, language: str) -> str:
        """The quantity as an answer in "en", "zh-Hans" or "zh-Hant": "700 m", "about 3 years", 700米.

        Plain decimals without trailing zeros. From a million on (Chinese: a hundred thousand) with a scale word when
        three decimals are enough.
        """
        if language.startswith("zh"):
            return _in_chinese(self, traditional=language == "zh-Hant")
        return _in_english(self)


def quantity_of(value: Decimal, unit: Unit) -> Quantity:
    """Quantity of `value` units."""
    return Quantity(value=value, unit=unit.unit_id, dimension=unit.dimension)


def comparable(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities can be ordered: same dimension, convertible units, same noun."""
    if a.dimension != b.dimension or _base(a) != _base(b):
        return False
    return bool(a.unit) or one_noun(a.noun) == one_noun(b.noun)


def same(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities are equal in any units: "8 GB" and "8GB", 1.5 km and 1500 m.

    An approximation makes no difference, a bound does. A bare number equals the same number of any noun.
    """
    if a.bound != b.bound:
        return False
    if not a.unit and not b.unit and not (a.noun and b.noun):
        return a.value == b.value
    return comparable(a, b) and a.in_base == b.in_base


def difference(a: Quantity, b: Quantity) -> Quantity:
    """Absolute difference of two comparable quantities, in the unit of the first.

    In the base unit when the first one cannot express it exactly, as with miles and metres. Raises ValueError for
    quantities that are not comparable or have a bound.
    """
    _check(a, b)
    gap = abs(a.in_base - b.in_base)
    ratio = UNITS[a.unit].ratio if a.unit else Decimal(1)
    unit, value = a.unit, gap / ratio
    if value * ratio != gap or -int(value.normalize().as_tuple().exponent) > 6:
        unit, value = _base(a), gap
    return replace(a, value=value, unit=unit, approximate=a.approximate or b.approximate)


def ratio(a: Quantity, b: Quantity) -> Decimal | None:
    """`a` divided by `b`; None when it has more than six decimals, or `b` is zero.

    Raises ValueError as `difference` does, and for temperatures, which have no ratio.
    """
    _check(a, b)
    if a.dimension == "temperature":
        raise ValueError("temperatures have no ratio")
    if not b.in_base:
        return None
    with localcontext() as context:
        context.prec = 50
        value = a.in_base / b.in_base
        return value if value * b.in_base == a.in_base and round(value, 6) == value else None


def _check(a: Quantity, b: Quantity) -> None:
    if not comparable(a, b) or a.bound or b.bound:
        raise ValueError(f"quantities must be comparable and without a bound, not {a} and {b}")


def _base(quantity: Quantity) -> str:
    return UNITS[quantity.unit].base if quantity.unit else ""


def one_noun(noun: str) -> str:
    """Normal form of a counted noun: simplified, lower case, its last word singular."""
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


def plain_decimal(value: Decimal) -> str:
    """`value` without an exponent and without trailing zeros: 1E+3 is 1000, 8.50 is 8.5."""
    written = format(value, "f")
    return (written.rstrip("0").rstrip(".") if "." in written else written) or "0"


def _scaled(value: Decimal, scales: tuple[tuple[str, int], ...], *, gap: str) -> str:
    for name, size in scales:
        if abs(value) >= size:
            short = value / (10**4 if name == "万" else size)
            if round(short, 3) == short:
                return plain_decimal(short) + gap + name
            break
    return plain_decimal(value)


def _in_english(quantity: Quantity) -> str:
    number = _scaled(quantity.value, _ENGLISH_SCALES, gap=" ")
    hedge = quantity.bound or ("about" if quantity.approximate else "")
    if not quantity.unit:
        body = f"{number} {_singular(quantity.noun) if quantity.value == 1 else quantity.noun}".strip()
    elif quantity.unit in _PREFIXED:
        body = _PREFIXED[quantity.unit] + number
    elif quantity.unit in ("percent", "degree"):
        body = _scaled(quantity.value, (), gap="") + UNITS[quantity.unit].symbols[0]  # nobody writes "3 million%"
    else:
        body = f"{number} {_english_unit(quantity, scaled=number[-1].isalpha())}"
    return f"{hedge} {body}".strip()


def _english_unit(quantity: Quantity, *, scaled: bool) -> str:
    unit = UNITS[quantity.unit]
    if unit.symbols and unit.unit_id not in _WORDS and not scaled:
        return unit.symbols[0]
    if not unit.words:
        return unit.chinese[0]
    singular, plural = unit.words[0], unit.words[1] if len(unit.words) > 1 else unit.words[0]
    return singular if quantity.value == 1 else plural


def _in_chinese(quantity: Quantity, *, traditional: bool) -> str:
    if quantity.unit == "decade":  # no Chinese unit
        quantity = replace(quantity, unit="year", value=quantity.value * 10)
    number = _scaled(quantity.value, _CHINESE_SCALES, gap="")
    hedge = _CHINESE_BOUNDS.get(quantity.bound, "约" if quantity.approximate else "")
    if quantity.unit == "percent":
        body = number + "%"
    elif quantity.unit:
        body = number + UNITS[quantity.unit].chinese_name(traditional=traditional)
    else:
        noun = "" if quantity.noun == quantity.measure else quantity.noun
        body = number + quantity.measure + noun
    lead = hedge + (number if body.startswith(number) else "")
    return (lead.translate(_TRADITIONAL) + body[len(number) :]) if traditional else hedge + body
