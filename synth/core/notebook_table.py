"""Results as tables in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from synth.core.terminal import printable

MOST_ROWS = 20
"""Rows of a table that are shown; a note gives the number of all."""


@dataclass(frozen=True, slots=True)
class NotebookTable:
    """Rows under their heads, and a `note` below them."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""

    def html(self) -> str:
        """The table as HTML, with every text escaped; of many rows the first `MOST_ROWS`."""
        from jinja2 import Environment

        template = resources.files("synth.core").joinpath("notebook_table.html").read_text(encoding="utf-8")
        cells = [["" if cell is None else printable(str(cell)) for cell in row] for row in self.rows[:MOST_ROWS]]
        left = f"{MOST_ROWS} of {len(self.rows):,} rows" if len(self.rows) > MOST_ROWS else ""
        note = "; ".join(filter(None, (self.note, left)))
        return Environment(autoescape=True).from_string(template).render(head=self.head, rows=cells, note=note)


class Tabular:
    """A value that a notebook shows as a table."""

    __slots__ = ()

    @abstractmethod
    def notebook_table(self) -> NotebookTable:
        """The table that a notebook shows."""

    def _repr_html_(self) -> str:
        return self.notebook_table().html()


def three_digits(value: float | None) -> str:
    """A figure of a table; "-" for None."""
    return "-" if value is None else f"{value:.3f}"
