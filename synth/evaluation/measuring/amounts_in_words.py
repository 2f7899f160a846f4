"""Amounts in words: the parts that the English and the Chinese rewritings share.

The file amounts_in_words.json contains the names and their values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from synth.text.normalise import to_simplified
from synth.text.numerals import read_chinese, read_english


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A case-insensitive pattern with its replacement. Texts that contain none of `needs` are skipped."""

    needs: tuple[str, ...]
    pattern: str
    to: str | Callable[[re.Match[str]], str]

    def apply(self, text: str, lowered: str) -> str:
        """Return the rewritten text; `lowered` is the text in lower case."""
        return _compiled(self.pattern).sub(self.to, text) if any(word in lowered for word in self.needs) else text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)  # letters and digits of words are ASCII


def rewritten(text: str, rewritings: Iterable[Rewriting]) -> str:
    """Apply all rewritings to a text, in order."""
    lowered = text.lower()
    for rewriting in rewritings:
        text = rewriting.apply(text, lowered)
    return text


_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys((0xA0, 0x2009, 0x202F, 0x3000), 0x20)
_TERMINATING = (2, 4, 5, 8, 10)


@cache
def amount_names() -> Any:
    """Return the names of amounts by language."""
    return json.loads(files(__package__).joinpath("amounts_in_words.json").read_text(encoding="utf-8"))


def values_of(table: dict[str, str]) -> dict[str, str]:
    """Return a table of names without the entry "source"."""
    return {name: value for name, value in table.items() if name != "source"}


def any_of(names: Iterable[str]) -> str:
    """Return a pattern that matches any of the names, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def plain_width(text: str) -> str:
    """Return `text` in simplified script and uniform width; superscript numbers are unchanged."""
    return text if text.isascii() else to_simplified(text.translate(_WIDTH))


def about_time(texts: Iterable[str]) -> bool:
    """Return whether one of the texts asks for or contains a time of day."""
    return any(_clock().search(text) for text in texts)


@cache
def _clock() -> re.Pattern[str]:
    names = amount_names()
    return re.compile(rf"{names['english']['clock']}|{names['chinese']['clock']}", re.IGNORECASE | re.ASCII)


def value_of(words: str) -> Decimal | None:
    """Return the value of "a", "twenty-five", 2.5 or 二十五; None for other words."""
    plain = words.strip().casefold()
    if plain in ("a", "an"):
        return Decimal(1)
    return (read_english(plain) if plain.isascii() else None) or read_chinese(plain)


def times(words: str, factor: Decimal | int) -> str | None:
    """Multiply a number, in words or digits, by a factor. Return digits, or None if `words` is not a number."""
    value = value_of(words)
    return None if value is None else written(value * factor)


def written(value: Decimal) -> str:
    """Return a number as digits, without an exponent and trailing zeros."""
    return format(value.normalize(), "f")


def fraction(above: Decimal, below: int) -> str:
    """Return a fraction as a decimal, or with ÷ if its decimals do not end."""
    return written(above / below) if below in _TERMINATING else f"{written(above)}÷{below}"
