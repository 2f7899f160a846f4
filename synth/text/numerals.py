"""Exact values of numbers in English words or Chinese numerals.

No library is used, because cn2an reads decimals as floats and fails on 零点五万 with a bare ValueError. text2num and
word2number do not know "a hundred". None of them returns the offsets of a number in a text.
"""

from __future__ import annotations

import re
from decimal import Decimal

from synth.text.normalise import to_simplified

_UNDER_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen".split()
)
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_ONES = {word: value for value, word in enumerate(_UNDER_TWENTY)}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
NUMBER_WORDS = (*_ONES, *_TENS, "hundred", *SCALES)
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first".split()
)
"""English ordinals in words, from "first"."""

_WORD = "|".join(sorted(NUMBER_WORDS, key=lambda word: (-len(word), word)))
# Regular expression of a candidate; read_english decides whether it is a number.
ENGLISH_WORDS = (
    rf"(?:(?:an?\s)(?=hundred\b|thousand\b|million\b)|\b)(?:{_WORD})\b(?:(?:-|\s(?:and\s)?)(?:{_WORD})\b){{0,14}}"
)

CHINESE_DIGITS = "〇一二三四五六七八九"
WRITTEN_DIGITS = "〇零○一二三四五六七八九"
"""Chinese digits, with every spelling of zero."""

CHINESE_NUMERALS = WRITTEN_DIGITS + "两十百千万亿廿卅"
"""Characters of Chinese numerals."""

_VALUES = {**{char: value for value, char in enumerate(CHINESE_DIGITS)}, "零": 0, "○": 0, "两": 2}
_LARGE = (("亿", 10**8), ("万", 10**4))
_ARABIC = re.compile(r"\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,12})?|\d{1,18}(?:\.\d{1,12})?", re.ASCII)
_SECTION = re.compile(
    r"(?:([一二两三四五六七八九\d])千)?(零?)(?:([一二两三四五六七八九\d])百)?(零?)(?:([一二三四五六七八九\d])?(十))?(零?)([一二两三四五六七八九])?",
    re.ASCII,
)
_MOST_DIGITS = 40


def read_arabic(text: str) -> Decimal | None:
    """Return the value of "3,500", "0.5" or "42", or None if `text` is not such a number."""
    return Decimal(text.replace(",", "")) if _ARABIC.fullmatch(text) else None


def read_english(text: str) -> Decimal | None:
    """Return the value of "forty-two", "a hundred" or "2.5 million"; None unless `text` is exactly one number.

    Years in pairs ("nineteen eighty-four"), ordinals and vague numbers ("dozens") have no value.
    """
    parts = re.split(r"[\s-]", text.strip().casefold()[:200])
    if len(parts) == 2 and parts[1] in SCALES and (lead := read_arabic(parts[0])) is not None:
        return lead * SCALES[parts[1]]
    if len(parts) == 1 and (plain := read_arabic(parts[0])) is not None:
        return plain
    value = _sum_of_groups(parts)
    return None if value is None else Decimal(value)


def _sum_of_groups(parts: list[str]) -> int | None:
    """Return the value of words such as "two million three hundred thousand", or None.

    Each scale ("million") must be smaller than the one before it.
    """
    if len(parts) > 1 and parts[0] in ("a", "an"):
        parts = ["one", *parts[1:]]
    total, group, ceiling = 0, [], 10**15
    for part in parts:
        if part not in SCALES:
            group.append(part)
            continue
        below = _below_thousand(group, first=total == 0)
        if not below or SCALES[part] >= ceiling:
            return None
        ceiling = SCALES[part]
        total, group = total + below * ceiling, []
    if not group:
        return total or None
    below = _below_thousand(group, first=total == 0)
    return None if below is None or (total and not below) else total + below


def _below_thousand(group: list[str], *, first: bool) -> int | None:
    """Return the value of hundreds (also "twelve hundred"), tens and ones: "three hundred and five"."""
    hundreds = 0
    if "hundred" in group:
        place = group.index("hundred")
        lead = _below_hundred(group[:place])
        if not lead:
            return None
        hundreds, group = lead * 100, group[place + 1 :]
        if not group:
            return hundreds
        group = group[1:] if group[0] == "and" else group
    elif group[:1] == ["and"] and not first:
        group = group[1:]
    rest = _below_hundred(group)
    return None if rest is None or (hundreds and not rest) else hundreds + rest


def _below_hundred(group: list[str]) -> int | None:
    if len(group) == 1:
        return _ONES.get(group[0], _TENS.get(group[0]))
    if len(group) == 2 and group[0] in _TENS and 0 < _ONES.get(group[1], 0) < 10:
        return _TENS[group[0]] + _ONES[group[1]]
    return None


def read_chinese(text: str) -> Decimal | None:
    """Return the value of 三千五百, 兩百零五, 一点五亿, 二〇〇三, 1.5万, 2亿3000万 or 3,500, in either script.

    None if `text` is not exactly one number. A last digit after a scale counts the next smaller scale (三万五 is
    35000). Three or more adjacent digits are read as a digit string (二〇〇三 is 2003). So are two adjacent digits with
    a zero. Vague numbers have no value: 七八 ("seven or eight"), 几, 数, and a scale without a number (百万).
    """
    if len(text) > _MOST_DIGITS:
        return None
    plain = to_simplified(text).replace("廿", "二十").replace("卅", "三十")
    return read_arabic(plain) if plain[:1].isascii() and plain[-1:].isascii() else _general(plain, 10**16)


def _general(text: str, ceiling: int) -> Decimal | None:
    """Return the value of a number below `ceiling` in Chinese numerals. Arabic digits may precede 万 and 亿."""
    for scale, size in _LARGE:
        lead, separator, rest = text.rpartition(scale)
        if not separator:
            continue
        value = _coefficient(lead, ceiling // size)
        tail = _tail(rest, size)
        if value is None or tail is None or (tail and value != value.to_integral_value()):
            return None
        return value * size + tail
    if "点" in text:
        return _decimal(text)
    if len(text) > 1 and all(char in _VALUES and char != "两" for char in text):
        digits = "".join(str(_VALUES[char]) for char in text)
        return Decimal(digits) if len(text) > 2 or (digits[1] == "0" and digits[0] != "0") else None
    return _section(text)


def _coefficient(text: str, ceiling: int) -> Decimal | None:
    """Return the number before 万 or 亿; None unless it is above zero and below `ceiling`."""
    value = read_arabic(text) if text[:1].isascii() and text[-1:].isascii() else _general(text, ceiling)
    return value if value and 0 < value < ceiling else None


def _tail(text: str, size: int) -> Decimal | None:
    """Return the number after a scale of value `size` (万 or 亿).

    The tail is empty, a smaller number, or one digit that counts tenths of the scale.
    """
    if not text:
        return Decimal(0)
    if len(text) == 1 and _VALUES.get(text):
        return Decimal(_VALUES[text] * size // 10)
    rest = text[1:] if text[0] == "零" else text
    value = read_arabic(rest) if rest.isascii() else _general(rest, size)
    return value if value and value < size and value == value.to_integral_value() else None


def _decimal(text: str) -> Decimal | None:
    whole, _, fraction = text.partition("点")
    lead = _section(whole)
    if lead is None or not fraction or not all(char in _VALUES and char != "两" for char in fraction):
        return None
    return lead + Decimal("0." + "".join(str(_VALUES[char]) for char in fraction))


def _section(text: str) -> Decimal | None:
    """Return the value of a number below ten thousand: 三千五百, 兩百零五, 十二, 3千5百, or one digit."""
    if len(text) == 1 and text in _VALUES:
        return Decimal(_VALUES[text])
    match = _SECTION.fullmatch(text)
    if match is None or not text:
        return None
    thousands, zero, hundreds, gap, tens, ten, last_gap, ones = match.groups()
    if (zero or gap or last_gap) and ((not ones and not ten) or zero + gap + last_gap != "零"):
        return None
    if text[0] == "零":
        return None
    value = _digit(thousands) * 1000 + _digit(hundreds) * 100 + (_digit(tens or "一") * 10 if ten else 0)
    if ones and not ten and not (zero or gap or last_gap) and value:
        return Decimal(value + _digit(ones) * (10 if hundreds else 100))
    return Decimal(value + _digit(ones))


def _digit(char: str | None) -> int:
    if not char:
        return 0
    return int(char) if char.isascii() else _VALUES[char]
