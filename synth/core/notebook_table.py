"""Results as tables: HTML in a notebook, text elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from synth.core.table import table
from synth.core.terminal import printable

MOST_ROWS = 20
"""Maximum number of rows in a displayed table. If a table has more, a note below it gives the total."""

_MOST_CHARACTERS = 80
"""Maximum length of a cell in a text table."""


@dataclass(frozen=True, slots=True)
class NotebookTable:
    """Table for display. `head` lists the column titles. `note` is a line below the rows, "" for none."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""

    def html(self) -> str:
        """Return the table as HTML, with every text escaped. At most `MOST_ROWS` rows are shown."""
        from jinja2 import Environment

        template = resources.files("synth.core").joinpath("notebook_table.html").read_text(encoding="utf-8")
        cells = [["" if cell is None else printable(str(cell)) for cell in row] for row in self.rows[:MOST_ROWS]]
        return Environment(autoescape=True).from_string(template).render(head=self.head, rows=cells, note=self._below())

    def text(self) -> str:
        """Return the table as plain text, with long cells cut. At most `MOST_ROWS` rows are shown."""
        cells = [[_shortened(cell) for cell in row] for row in self.rows[:MOST_ROWS]]
        return "\n".join(filter(None, (table(self.head, cells) if cells else "", self._below())))

    def _below(self) -> str:
        left = f"{MOST_ROWS} of {len(self.rows):,} rows" if len(self.rows) > MOST_ROWS else ""
        return "; ".join(filter(None, (self.note, left)))


def _shortened(cell: Any) -> str:
    text = "" if cell is None else printable(str(cell))
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


class Tabular:
    """Base class of values that are shown as a table: as HTML in a notebook, as text by `print`.

    A dataclass must set `repr=False` to inherit this `__repr__`.
    """

    __slots__ = ()

    @abstractmethod
    def notebook_table(self) -> NotebookTable:
        """Return the table that a notebook shows."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.notebook_table().text()}"

    def _repr_html_(self) -> str:
        return self.notebook_table().html()


def three_digits(value: float | None) -> str:
    """Return a number with three decimals, or "-" for None."""
    return "-" if value is None else f"{value:.3f}"
