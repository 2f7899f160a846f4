"""Columns of a table as questions name them: a label in words, its unit, and the names of rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.grammar.structure.figures import Figure
from synth.grammar.structure.forms import StructureForms
from synth.text.language import is_han

_BRACKETED = re.compile(r"(?P<label>.+?)\s*[(（\[](?P<unit>[^\d()（）\[\]]{1,16})[)）\]]")
_UNDERSCORED = re.compile(r"(?P<label>[a-z]+(?:_[a-z]+)*)_(?P<unit>m|km|cm|mm|kg|g|s|ms|min|usd|eur|gbp|pct)")
_NAME = re.compile(r"[A-Z].*[A-Z\d]|[a-z]*[A-Z\d]\w*|.*\s[A-Z\d].*|[\w.]*_[\w.]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading without the unit, and the unit in which it counts, or ""."""

    label: str
    unit: str

    @classmethod
    def of(cls, heading: str, forms: StructureForms) -> Column:
        """The column of a heading: "Length (m)", "length_m", "price in pounds"."""
        text = heading.strip(" *:：")
        match = _BRACKETED.fullmatch(text) or _UNDERSCORED.fullmatch(text) or forms.patterns["in_unit"].fullmatch(text)
        if match is None:
            return cls(text.replace("_", " ") if text.islower() else text, "")
        return cls(match["label"].replace("_", " ").strip(), match["unit"].strip())

    def written(self, amount: Figure, text: str, forms: StructureForms) -> str:
        """The text of a cell with the unit of the column."""
        if not self.unit or amount.before or amount.after:
            return text
        unit = forms.words.get(self.unit, self.unit)
        return f"{text}{unit}" if any(map(is_han, unit)) else f"{text} {unit}"


def is_name(row: str) -> bool:
    """True for the name of a row that is understood by itself: it has a capital or a figure inside."""
    return bool(_NAME.fullmatch(row.strip())) if row.isascii() else len(row) >= 4 or bool(re.search(r"[A-Za-z\d]", row))
