"""Figures: numbers with a unit or currency, such as "$96.05", "500g", "3 个", "7.5 %" and "12 weeks"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_FIGURE = re.compile(
    r"(?P<before>[$€£¥￥]|US\$|RMB|)\s?(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<gap>\s?)"
    r"(?P<after>%|[^\W\d_]{1,14}(?:[ /][^\W\d_]{1,14}){0,2}|)"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its unit.

    `before` and `after` are the currency or unit before and after the number, or "". `gap` is the space between number
    and `after`. `grouped` is True if the number has thousands separators.
    """

    value: Decimal
    before: str
    gap: str
    after: str
    grouped: bool

    @property
    def unit(self) -> str:
        """Unit or currency. Figures with equal units are comparable; singular and plural are the same unit."""
        return self.before or self.after.casefold().removesuffix("s") or "number"

    def written(self, value: Decimal) -> str:
        """Return another value written like this figure, with its unit and separators."""
        text = f"{value:f}"
        text = text.rstrip("0").rstrip(".") if "." in text and not self.before else text
        whole, _, rest = text.partition(".")
        if self.grouped and len(whole) > 3:
            whole = f"{int(whole):,}"
        return f"{self.before}{whole}{'.' + rest if rest else ''}{self.gap}{self.after}".strip()


def figure(text: str) -> Figure | None:
    """Return the figure that a text consists of. Return None for a range, several numbers or additional text."""
    match = _FIGURE.fullmatch(text.strip(" *_`。.;；"))
    if match is None:
        return None
    number = Decimal(match["n"].replace(",", ""))
    return Figure(number, match["before"], match["gap"], match["after"], "," in match["n"])
