"""Numbers of answers with their units, in English and Chinese: "$1,577 million", 300万人, 65.4%, "forty-two".

`synth.text.quantities` finds amounts for questions and skips numbers that may be a label, a rate or part of a range. In
an answer every number counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from synth.evaluation.measuring.amounts_in_words import amount_names, any_of
from synth.evaluation.measuring.answer_normalisation import COUNTED
from synth.text.numerals import CHINESE_NUMERALS, ORDINALS, SCALES, read_chinese, read_english
from synth.text.numerals import ENGLISH_WORDS as NUMBER_WORDS
from synth.text.units import UNIT_BY_CHINESE_NAME, UNIT_BY_SYMBOL, UNIT_BY_WORD, UNITS

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
_SCALE = "[十百万亿]|千(?![克米瓦卡帕赫伏焦字])"
_NUMERAL = rf"(?:[{CHINESE_NUMERALS.replace('千', '')}]|千(?![克米瓦卡帕赫伏焦字]))"
"""Pattern of a character of a Chinese numeral; 千 before a unit belongs to the unit."""
_NUMBER = re.compile(
    rf"百分之(?P<percent>{_ARABIC}|[{CHINESE_NUMERALS}][{CHINESE_NUMERALS}点]*)|(?P<parts>[{CHINESE_NUMERALS}\d]{{1,30}}+)分之(?P<of>[{CHINESE_NUMERALS}\d]+)"
    rf"|(?P<above>\d{{1,6}})÷(?P<below>\d{{1,6}})"
    rf"|(?P<han>(?<![A-Za-z\d.,])(?:{_ARABIC})(?:{_SCALE})+(?:\d|点|{_NUMERAL})*|{_NUMERAL}(?:点|{_NUMERAL})*)"
    rf"|(?P<digits>(?<![A-WYZa-wyz\d.])(?:(?<![\w)\]\u3400-\u9fff])[-\u2212])?(?:{_ARABIC}))(?![.,]?\d|[A-Za-z]{{0,2}}\d)"
    rf"(?:[\s-]?(?P<scale>{'|'.join(SCALES)})s?\b|(?P<short>\s?(?:bn|mn|tn)|[kKmMBb])(?![\w°²³/])|(?:st|nd|rd|th)\b)?"
    rf"|\b(?:(?P<ordinal>{'|'.join(_ORDINALS)})\b|(?P<words>{NUMBER_WORDS}))",
    re.IGNORECASE | re.ASCII,
)
_BEFORE = re.compile(rf"(?<![A-Za-z])(?P<money>{any_of(_MONEY)})\s?$", re.IGNORECASE)
_IN = re.compile(
    rf"\s\(in\s(?:(?P<money>{any_of(_MONEY)})\s?)?(?P<scale>{'|'.join(SCALES)})s?(?:\sof\s[^)]+)?\)", re.IGNORECASE
)
_WORDS = [name for name in _UNITS if name[-1].isascii() and name[-1].isalnum()]
_UNIT = re.compile(
    rf"[\s-]?(?:(?P<word>{any_of(_WORDS)})(?![A-Za-z0-9²³])|(?P<sign>{any_of(_UNITS.keys() - {*_WORDS})}))"
)
_COUNTED = COUNTED | frozenset("场项公家世代级轮回册集")
_CLASSIFIERS = _COUNTED | frozenset(amount_names()["chinese"]["classifiers"])
_LONGEST_PREFIX = 6
_JOINED = re.compile(r"\s?(?:,\s?|and\s|[又零])?", re.IGNORECASE)
"""Pattern of the text between two parts of one amount: the "and" of 1 hour and 30 minutes, the space of 5 ft 10 in."""

_ZERO_IN_CELSIUS = {"fahrenheit": (Decimal(32), Decimal(5) / 9), "kelvin": (Decimal("273.15"), Decimal(1))}
_FINE = Decimal("0.00001")
_PRECISE = 10
"""Minimum value of a rounded number, counted in units of its last digit, to match an exact number.

0.33 is 33 hundredths, so it matches a third. 0.3 is only 3 tenths, so it does not.
"""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number at `text[start:end]`.

    `step` is the place value of its last digit, such as 0.1 for 65.4. `unit` is an id of `units.UNITS`, or "" without a
    unit. `exact` marks a fraction such as 2/3, whose decimals are always rounded.
    """

    start: int
    end: int
    value: Decimal
    step: Decimal = Decimal(1)
    unit: str = ""
    exact: bool = False

    def agrees(self, given: Amount) -> bool:
        """Return whether `given` equals this amount, or equals it after rounding to the same last digit.

        An amount without a unit agrees with any unit. 65.4 % agrees with 65.4 and 0.654, and 12 years with the age of
        12. Amounts in different systems of units (miles and km, °F and °C) agree if their difference can come from
        rounding.
        """
        mine, theirs = self._plain_unit, given._plain_unit
        if mine and theirs:
            if UNITS[mine].dimension == "temperature" and mine != theirs:
                return self._is_near(given._in_celsius, self._in_celsius)
            if UNITS[mine].base != UNITS[theirs].base:
                return False
            ratio = UNITS[theirs].ratio / UNITS[mine].ratio
            return self._is(given, ratio) or (not _is_metric(ratio) and self._is_near(given._scaled(ratio), self))
        if self._is(given, Decimal(1)):
            return True
        return "percent" in (mine, theirs) and self._is(given, Decimal(100 if mine else "0.01"))

    @property
    def _plain_unit(self) -> str:
        return "year" if self.unit == "age" else self.unit

    @property
    def _in_celsius(self) -> Amount:
        zero, ratio = _ZERO_IN_CELSIUS.get(self.unit, (Decimal(0), Decimal(1)))
        return replace(self, value=(self.value - zero) * ratio, step=self.step * ratio)

    def _scaled(self, ratio: Decimal) -> Amount:
        return replace(self, value=self.value * ratio, step=self.step * ratio)

    def _is(self, given: Amount, ratio: Decimal) -> bool:
        value, step = given.value * ratio, given.step * ratio
        if self.exact and abs(value - self.value) < step <= abs(self.value) / _PRECISE:
            return True
        return value == self.value or (
            step < self.step and (value / self.step).quantize(Decimal(1), ROUND_HALF_UP) * self.step == self.value
        )

    @staticmethod
    def _is_near(given: Amount, wanted: Amount) -> bool:
        step = max(given.step, wanted.step)
        return 2 * abs(given.value - wanted.value) <= step <= abs(wanted.value) / _PRECISE


def _is_metric(ratio: Decimal) -> bool:
    """Return whether a ratio, or 1 divided by it, is a whole number: powers of ten, 60 minutes, 12 months."""
    return ratio == ratio.to_integral_value() or 1 / ratio == (1 / ratio).to_integral_value()


@lru_cache(maxsize=2048)
def answer_amounts(text: str) -> tuple[Amount, ...]:
    """Return the numbers of a text in order. "1 hour 30 minutes" is one number.

    The text must be folded in width and script.
    """
    amounts: list[Amount] = []
    for match in _NUMBER.finditer(text):
        if amount := _amount(text, match):
            if amounts and _goes_on(amounts[-1], amount, text):
                amount = _sum(amounts.pop(), amount)
            amounts.append(amount)
    return tuple(amounts)


def _goes_on(first: Amount, second: Amount, text: str) -> bool:
    """Return whether `second` continues `first` in a smaller unit, as in 5 ft 10 in.

    `second` must be less than one unit of `first`, here less than one foot.
    """
    larger, smaller = UNITS.get(first.unit), UNITS.get(second.unit)
    if larger is None or smaller is None or larger.base != smaller.base or larger.ratio <= smaller.ratio:
        return False
    adjacent = first.end <= second.start and _JOINED.fullmatch(text, first.end, second.start) is not None
    return adjacent and first.value == first.value.to_integral_value() and second.value * smaller.ratio < larger.ratio


def _sum(first: Amount, second: Amount) -> Amount:
    ratio = UNITS[first.unit].ratio / UNITS[second.unit].ratio
    return replace(second, start=first.start, value=first.value * ratio + second.value)


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
    exact = value != value.quantize(step)
    return Amount(before.start() if before else start, end, value * scale, step * scale, unit, exact)


def _number(text: str, match: re.Match[str]) -> tuple[Decimal, Decimal] | None:
    """Return the value of a number and the value of its last digit; None if the matched text is not a number."""
    if match["percent"]:
        percent = read_chinese(match["percent"])
        return None if percent is None else (percent, _last_digit(percent))
    if match["of"]:
        below, above = read_chinese(match["parts"]), read_chinese(match["of"])
        return (above / below, _FINE) if below and above else None
    if match["below"]:
        return (Decimal(match["above"]) / Decimal(match["below"]), _FINE) if int(match["below"]) else None
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
    if len(numeral) == 1 and not alone and text[end : end + 1] not in (_COUNTED if numeral == "一" else _CLASSIFIERS):
        return None
    number, lead = read_chinese(numeral), re.match(_ARABIC, numeral, re.ASCII)
    if number is None or lead is None or numeral[-1] not in "十百千万亿":
        return None if number is None else (number, Decimal(1))
    coefficient = Decimal(lead[0].replace(",", ""))
    return number, _last_digit(coefficient) * (number / coefficient if coefficient else 1)


def _last_digit(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)
