"""Numbers of answers with their units, English and Chinese: "$1,577 million", 300万人, 65.4%, "forty-two".

`synth.text.quantities` finds the amounts that questions are made of, and leaves out what may be a label, a rate or a
part of a range. In an answer every number counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from synth.evaluation.measuring.answer_normalisation import COUNTED
from synth.text.numerals import CHINESE_NUMERALS, ORDINALS, SCALES, read_chinese, read_english
from synth.text.numerals import ENGLISH_WORDS as NUMBER_WORDS
from synth.text.units import UNIT_BY_CHINESE_NAME, UNIT_BY_SYMBOL, UNIT_BY_WORD, UNITS


def _any(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


_ORDINALS = dict(zip(ORDINALS[1:12], range(2, 13), strict=True))
_SHORT = {
    "k": 10**3,
    "K": 10**3,
    "m": 10**6,
    "M": 10**6,
    "b": 10**9,
    "B": 10**9,
    "bn": 10**9,
    "mn": 10**6,
    "tn": 10**12,
}
_BARE = ("degree",)
_UNITS = {
    name: "" if unit.unit_id in _BARE else unit.unit_id
    for name, unit in (*UNIT_BY_SYMBOL.items(), *UNIT_BY_CHINESE_NAME.items(), *UNIT_BY_WORD.items())
} | {"¥": "cny", "元": "cny"}
_MONEY = {
    name: unit for name, unit in _UNITS.items() if unit in UNITS and UNITS[unit].dimension == "money" and name != "元"
}
_ARABIC = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_NUMBER = re.compile(
    rf"百分之(?P<percent>{_ARABIC}|[{CHINESE_NUMERALS}][{CHINESE_NUMERALS}点]*)|(?P<parts>[{CHINESE_NUMERALS}\d]+)分之(?P<of>[{CHINESE_NUMERALS}\d]+)"
    rf"|(?P<han>(?<![A-Za-z\d.,])(?:{_ARABIC})[十百千万亿]+[\d{CHINESE_NUMERALS}点]*|[{CHINESE_NUMERALS}][{CHINESE_NUMERALS}点]*)"
    rf"|(?P<digits>(?<![A-WYZa-wyz\d.])(?:(?<![\w)\]\u3400-\u9fff])[-\u2212])?(?:{_ARABIC}))(?![.,]?\d|[A-Za-z]{{0,2}}\d)"
    rf"(?:[\s-]?(?P<scale>{'|'.join(SCALES)})s?\b|(?P<short>\s?(?:bn|mn|tn)|[kKmMBb])(?![\w°²³/])|(?:st|nd|rd|th)\b)?"
    rf"|\b(?:(?P<ordinal>{'|'.join(_ORDINALS)})\b|(?P<words>{NUMBER_WORDS}))",
    re.IGNORECASE | re.ASCII,
)
_BEFORE = re.compile(rf"(?<![A-Za-z])(?P<money>{_any(_MONEY)})\s?$", re.IGNORECASE)
_IN = re.compile(
    rf"\s\(in\s(?:(?P<money>{_any(_MONEY)})\s?)?(?P<scale>{'|'.join(SCALES)})s?(?:\sof\s[^)]+)?\)", re.IGNORECASE
)
_WORDS = [name for name in _UNITS if name[-1].isascii() and name[-1].isalnum()]
_UNIT = re.compile(rf"[\s-]?(?:(?P<word>{_any(_WORDS)})(?![A-Za-z0-9²³])|(?P<sign>{_any(_UNITS.keys() - {*_WORDS})}))")
_COUNTED = COUNTED | frozenset("场项公家世代级轮回册集")
_LONGEST_PREFIX = 6


@dataclass(frozen=True, slots=True)
class Amount:
    """A number at `text[start:end]`. `step` is the value of its last digit; `unit` an id of `units.UNITS`, or ""."""

    start: int
    end: int
    value: Decimal
    step: Decimal = Decimal(1)
    unit: str = ""

    def agrees(self, given: Amount) -> bool:
        """Return whether `given` is the same amount, also when rounded to the digits of this one.

        An amount without a unit has any unit; 65.4 % is 65.4 and 0.654.
        """
        if self.unit and given.unit:
            mine, theirs = UNITS[self.unit], UNITS[given.unit]
            return mine.base == theirs.base and self._is(given, theirs.ratio / mine.ratio)
        if self._is(given, Decimal(1)):
            return True
        return "percent" in (self.unit, given.unit) and self._is(given, Decimal(100 if self.unit else "0.01"))

    def _is(self, given: Amount, ratio: Decimal) -> bool:
        value, step = given.value * ratio, given.step * ratio
        return value == self.value or (
            step < self.step and (value / self.step).quantize(Decimal(1), ROUND_HALF_UP) * self.step == self.value
        )


@lru_cache(maxsize=2048)
def answer_amounts(text: str) -> tuple[Amount, ...]:
    """The numbers of a text, folded in width and script, in order."""
    return tuple(amount for match in _NUMBER.finditer(text) if (amount := _amount(text, match)))


def _amount(text: str, match: re.Match[str]) -> Amount | None:
    start, end = match.span()
    before = _BEFORE.search(text, max(0, start - _LONGEST_PREFIX), start)
    money = before["money"] if before else ""
    read = _number(text, match)
    if read is None:
        return None
    value, step = read
    short = (match["short"] or "").strip()
    letter = short if short in ("m", "B", "b") and not money else ""
    scale = 1 if letter else _SHORT.get(short, 1)
    if note := _IN.match(text, end):
        scale, money, end = SCALES[note["scale"].casefold()], money or note["money"], note.end()
    unit = _UNITS.get(letter, "")
    if following := _UNIT.match(text, end):
        unit, end = _UNITS[following["word"] or following["sign"]], following.end()
    if match["percent"]:
        unit = "percent"
    elif money:
        unit = next(unit for name, unit in _MONEY.items() if name.casefold() == money.casefold())
    return Amount(before.start() if before else start, end, value * scale, step * scale, unit)


def _number(text: str, match: re.Match[str]) -> tuple[Decimal, Decimal] | None:
    """The value of a number, and that of its last digit."""
    if match["percent"]:
        percent = read_chinese(match["percent"])
        return None if percent is None else (percent, _last_digit(percent))
    if match["of"]:
        below, above = read_chinese(match["parts"]), read_chinese(match["of"])
        return (above / below, Decimal("0.001")) if below and above else None
    if match["ordinal"]:
        return Decimal(_ORDINALS[match["ordinal"].casefold()]), Decimal(1)
    if match["digits"]:
        value = Decimal(match["digits"].replace(",", "").replace("\u2212", "-"))
        scale = SCALES[match["scale"].casefold()] if match["scale"] else 1
        return value * scale, _last_digit(value) * scale
    if match["words"]:
        spelled = read_english(match["words"])
        return None if spelled is None else (spelled, Decimal(1))
    numeral, end = match["han"], match.end()
    alone = match.start() == 0 and end == len(text)
    if len(numeral) == 1 and not alone and text[end : end + 1] not in _COUNTED:
        return None
    number, lead = read_chinese(numeral), re.match(_ARABIC, numeral, re.ASCII)
    if number is None or lead is None or numeral[-1] not in "十百千万亿":
        return None if number is None else (number, Decimal(1))
    coefficient = Decimal(lead[0].replace(",", ""))
    return number, _last_digit(coefficient) * (number / coefficient if coefficient else 1)


def _last_digit(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)
