"""Plain tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size

from synth.core.terminal import printable

MAX_WIDTH = 72


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """`rows` under `head` in columns; a cell wider than 72 columns is cut, control characters are shown escaped."""
    cells = [[_cut(printable(str(cell))) for cell in row] for row in (head, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(set_cell_size, row, widths)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _cut(text: str) -> str:
    return text if cell_len(text) <= MAX_WIDTH else set_cell_size(text, MAX_WIDTH - 1).rstrip() + "…"
