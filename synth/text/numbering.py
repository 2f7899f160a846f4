"""Numbers of headings and list items, such as "2.1.2", "第三章", "Appendix B" or "（一）" (`numbering.json`)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from synth.text.numerals import read_chinese

_PIECES = {"{n}": r"\d{1,3}", "{h}": "[零〇一二三四五六七八九十百]{1,5}", "{L}": "[A-Z]", "{R}": "[IVXL]{1,6}"}
_PIECE = re.compile("|".join(map(re.escape, _PIECES)))
_AFTER = re.compile(r"[.．、:：)）]{0,2}\s*")
_DIGITS = re.compile(r"(?<!\d)\d++$")


@dataclass(frozen=True, slots=True)
class Style:
    """Numbering style.

    `rank` is lowest for the outermost style. `use` is "heading", "item" or "both".
    """

    name: str
    rank: int
    use: str


def _styles() -> tuple[Mapping[str, Style], Mapping[str, re.Pattern[str]]]:
    """Return the styles by name, and a regular expression per use with one group per style."""
    styles, forms = {}, {}
    for row in json.loads(files(__package__).joinpath("numbering.json").read_text("utf-8"))["styles"]:
        styles[row["name"]] = Style(row["name"], row["rank"], row["use"])
        parts = (_PIECE.sub(lambda piece: _PIECES[piece.group()], form) for form in row["forms"])
        forms[row["name"]] = f"(?P<{row['name']}>{'|'.join(parts)})"
    uses = {
        use: re.compile("|".join(forms[style.name] for style in styles.values() if style.use in (use, "both")))
        for use in ("heading", "item")
    }
    return styles, uses


_STYLES, _FORMS = _styles()


@dataclass(frozen=True, slots=True)
class Numbered:
    """Number of a heading or list item, as written.

    The words after the number start at `end`. `value` is the position within its style (第三章 is 3), or 0 if unknown.
    """

    number: str
    style: Style
    end: int
    value: int

    @property
    def rank(self) -> int:
        """Nesting rank, lowest for the outermost: ten times the rank of the style, plus one per point in "2.1.2"."""
        return self.style.rank * 10 + self.number.count(".") * (self.style.name == "decimal")


def numbered(text: str, start: int, end: int, *, use: str) -> Numbered | None:
    """Return the number at the start of `text[start:end]`, or None if there is no number.

    `use` is "heading" or "item".
    """
    match = _FORMS[use].match(text, start, end)
    if match is None:
        return None
    after = _AFTER.match(text, match.end(), end)
    style = _STYLES[str(match.lastgroup)]
    return Numbered(match.group(), style, after.end() if after else match.end(), _value(match.group()))


def _value(number: str) -> int:
    bare = number.strip("()（）第章节節条條部篇编編卷 ")
    if digits := _DIGITS.search(bare):
        return int(digits.group())
    if len(bare) == 1 and "①" <= bare <= "⑳":
        return ord(bare) - ord("①") + 1
    if len(bare) == 1 and bare.isascii():
        return ord(bare.casefold()) - ord("a") + 1
    value = read_chinese(bare)
    return int(value) if value is not None else 0
