"""Plain tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size

MAX_WIDTH = 72


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """`rows` under `head` in columns; a cell wider than 72 columns is cut, control characters are shown escaped."""
    cells = [[_cut(printable(str(cell))) for cell in row] for row in (head, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(set_cell_size, row, widths)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def printable(text: str) -> str:
    """`text` with every character escaped that a terminal would obey or cannot show."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _cut(text: str) -> str:
    return text if cell_len(text) <= MAX_WIDTH else set_cell_size(text, MAX_WIDTH - 1).rstrip() + "…"
