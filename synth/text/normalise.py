"""Forms of a text that should be equal although they are written differently."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[^\w\s.%°+-]|(?<!\d)\.|\.(?!\d)|(?<![\w])[-+](?!\d)|(?<=\w)-(?=\w)", re.UNICODE)
_IN_WORD = re.compile(r"[^\W\u3400-\u9fff]")
_GOES_ON = re.compile(r"[^\W\u3400-\u9fff]|\.\d")
_EASTERN = re.compile("[\u2e80-\U0010ffff]")
_HAN_GAP = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")


LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Half of a surrogate pair, which UTF-8 cannot encode."""


@lru_cache(maxsize=1)
def _to_simplified_table() -> dict[int, str]:
    """Character table from traditional to simplified, from zhconv's own dictionary."""
    from zhconv import convert

    table = {}
    for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0xF900, 0xFB00)):
        char = chr(code)
        simple = convert(char, "zh-hans")
        if len(simple) == 1 and simple != char:
            table[code] = simple
    return table


@lru_cache(maxsize=1)
def traditional_only() -> frozenset[str]:
    """Characters that only traditional script writes."""
    return frozenset(map(chr, _to_simplified_table()))


@lru_cache(maxsize=1)
def simplified_only() -> frozenset[str]:
    """Characters that only simplified script writes."""
    from zhconv import convert

    made = set(_to_simplified_table().values()) - traditional_only()
    return frozenset(char for char in made if convert(char, "zh-hant") != char)


def to_simplified(text: str) -> str:
    """`text` with every traditional character simplified, one for one: offsets stay as they are."""
    return text.translate(_to_simplified_table()) if _EASTERN.search(text) else text


def to_traditional(text: str) -> str:
    """`text` in traditional script, by phrase; its length may change."""
    from zhconv import convert

    return str(convert(text, "zh-hant"))


def fold_width(text: str) -> str:
    """NFKC: full-width letters, digits and punctuation become half-width ones."""
    return unicodedata.normalize("NFKC", text)


def collapse_space(text: str) -> str:
    """`text` with every run of white space made one space, none at the ends."""
    return _SPACE.sub(" ", text).strip()


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """The form in which two answers or questions are compared for being the same.

    Widths, case, script, white space and punctuation are folded; digits, their decimal points,
    signs and percent marks are kept, so 3.14 and 314 stay different.
    """
    folded = to_simplified(fold_width(text)).casefold().replace("_", " ")
    folded = re.sub(r"(?<=\d),(?=\d{3}\b)", "", folded)
    folded = collapse_space(_PUNCTUATION.sub(" ", folded))
    return _HAN_GAP.sub("", folded)


def holds(text: str, phrase: str) -> bool:
    """Whether `phrase` occurs in `text` once both are normalised, at the edges of words and numbers."""
    haystack, needle = normalise(text), normalise(phrase)
    if not needle:
        return False
    start = haystack.find(needle)
    while start >= 0:
        if _edges(haystack, start, start + len(needle)):
            return True
        start = haystack.find(needle, start + 1)
    return False


def _edges(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` cuts no word and no number in two; Chinese has no edges."""
    if text[start] < "\u3400" and _IN_WORD.match(text[start - 1 : start]):
        return False
    return not (text[end - 1] < "\u3400" and _GOES_ON.match(text, end))
