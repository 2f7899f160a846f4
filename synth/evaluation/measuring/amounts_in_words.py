"""Names of amounts that people say in words: what the rewritings of both languages share.

The names and their values are in amounts_in_words.json.
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
    """A pattern, in any case, and what is written in its place; texts without one of `needs` do not have it."""

    needs: tuple[str, ...]
    pattern: str
    to: str | Callable[[re.Match[str]], str]

    def apply(self, text: str, lowered: str) -> str:
        """The text rewritten; `lowered` is it in lower case."""
        return _compiled(self.pattern).sub(self.to, text) if any(word in lowered for word in self.needs) else text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)  # letters and digits of words are ASCII


def rewritten(text: str, rewritings: Iterable[Rewriting]) -> str:
    """A text after all rewritings, in order."""
    lowered = text.lower()
    for rewriting in rewritings:
        text = rewriting.apply(text, lowered)
    return text


_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys((0xA0, 0x2009, 0x202F, 0x3000), 0x20)
_TERMINATING = (2, 4, 5, 8, 10)


@cache
def amount_names() -> Any:
    """The names of amounts by language."""
    return json.loads(files(__package__).joinpath("amounts_in_words.json").read_text(encoding="utf-8"))


def values_of(table: dict[str, str]) -> dict[str, str]:
    """A table of names without its source."""
    return {name: value for name, value in table.items() if name != "source"}


def any_of(names: Iterable[str]) -> str:
    """A pattern of names, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def plain_width(text: str) -> str:
    """`text` in simplified script, with letters, digits, marks and spaces of one width; raised numbers stay."""
    return text if text.isascii() else to_simplified(text.translate(_WIDTH))


def about_time(texts: Iterable[str]) -> bool:
    """Return whether one of the texts asks for a time of day, or has one."""
    return any(_clock().search(text) for text in texts)


@cache
def _clock() -> re.Pattern[str]:
    names = amount_names()
    return re.compile(rf"{names['english']['clock']}|{names['chinese']['clock']}", re.IGNORECASE | re.ASCII)


def value_of(words: str) -> Decimal | None:
    """The value of "a", "twenty-five", 2.5 or 二十五; None for other words."""
    plain = words.strip().casefold()
    if plain in ("a", "an"):
        return Decimal(1)
    return (read_english(plain) if plain.isascii() else None) or read_chinese(plain)


def times(words: str, factor: Decimal | int) -> str | None:
    """The product of a number in words, or in digits, in digits; None if the words are no number."""
    value = value_of(words)
    return None if value is None else written(value * factor)


def written(value: Decimal) -> str:
    """A number in digits, without an exponent and zeros at its end."""
    return format(value.normalize(), "f")


def fraction(above: Decimal, below: int) -> str:
    """A fraction as a decimal, or with ÷ where its decimals have no end."""
    return written(above / below) if below in _TERMINATING else f"{written(above)}÷{below}"
