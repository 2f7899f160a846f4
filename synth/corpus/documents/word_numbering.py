"""Numbers of Word's headings and list items as displayed: "2.1", "a)", "第三条"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from synth.corpus.documents.word_styles import attribute, tag_of

_PLACE = re.compile(r"%([1-9])")
_LARGEST = 10**6
_CHINESE = "零一二三四五六七八九"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


def _roman(number: int) -> str:
    letters = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        letters += sign * min(count, 10)
    return letters


def _letters(number: int) -> str:
    """Return a number in letters, as Word counts: a to z, then aa, bb to zz."""
    return chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 30) if number else "0"


def _chinese(number: int) -> str:
    if number >= 100:
        return "".join(_CHINESE[int(digit)] for digit in str(number))
    tens, ones = divmod(number, 10)
    if not tens:
        return _CHINESE[ones]
    return (_CHINESE[tens] if tens > 1 else "") + "十" + (_CHINESE[ones] if ones else "")


_FORMATS: Mapping[str, Callable[[int], str]] = {
    "decimalZero": lambda number: f"{number:02}",
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    **dict.fromkeys(
        (
            "chineseCounting",
            "chineseCountingThousand",
            "japaneseCounting",
            "taiwaneseCountingThousand",
            "ideographDigital",
        ),
        _chinese,
    ),
    "none": lambda number: "",
}
"""Functions that write a number in a format of Word. Other formats are written in digits."""


@dataclass(slots=True)
class _Level:
    format: str = "decimal"
    text: str = ""
    start: int = 1
    in_digits: bool = False


@dataclass(slots=True)
class _List:
    """Definition of a list, with the last number of each level."""

    levels: dict[int, _Level] = field(default_factory=dict)
    reached: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Numbering of the lists in a document. Call `label` once for each paragraph, in order, because it counts."""

    def __init__(self, root: Any) -> None:
        self._lists: dict[str, _List] = {}
        self._of_number: dict[str, str] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        for element in root if root is not None else ():
            key = attribute(element, "abstractNumId") or attribute(element, "numId")
            if tag_of(element) == "abstractNum":
                levels = (child for child in element if tag_of(child) == "lvl")
                self._lists[key] = _List({_integer(attribute(level, "ilvl")): _level(level) for level in levels})
            elif tag_of(element) == "num":
                self._number(element, attribute(element, "numId"))

    def _number(self, element: Any, key: str) -> None:
        for child in element:
            if tag_of(child) == "abstractNumId":
                self._of_number[key] = attribute(child, "val")
            elif tag_of(child) == "lvlOverride":
                starts = [one for one in child if tag_of(one) == "startOverride"]
                if starts:
                    place = _integer(attribute(child, "ilvl"))
                    self._restarts.setdefault(key, {})[place] = _integer(attribute(starts[0], "val"))

    def label(self, number: str, level: int) -> str | None:
        """Return the label of the next paragraph of a list at `level`, counted from 0.

        The label is "" for a bullet and None for an unknown list or level.
        """
        found = self._lists.get(self._of_number.get(number, ""))
        if found is None or level not in found.levels:
            return None
        own = found.levels[level]
        start = self._restarts.get(number, {}).pop(level, None)
        if start is None:
            start = found.reached[level] + 1 if level in found.reached else own.start
        found.reached = {
            **{place: at for place, at in found.reached.items() if place < level},
            level: min(start, _LARGEST),
        }
        if own.format == "bullet":
            return ""

        def shown(match: re.Match[str]) -> str:
            place = int(match.group(1)) - 1
            other = found.levels.get(place, own)
            at = found.reached.get(place, other.start)
            return str(at) if own.in_digits else _FORMATS.get(other.format, str)(at)

        return _PLACE.sub(shown, own.text).strip()


def _level(element: Any) -> _Level:
    level = _Level()
    for child in element:
        value = attribute(child, "val")
        match tag_of(child):
            case "start":
                level.start = _integer(value)
            case "numFmt":
                level.format = value
            case "lvlText":
                level.text = value
            case "isLgl":
                level.in_digits = value not in ("0", "false", "off")
    return level


def _integer(text: str) -> int:
    return min(int(text), _LARGEST) if text.isdecimal() and len(text) < 9 else 0
