"""Plain-text tables that fit the terminal."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size

from synth.core.terminal import printable

GAP = "  "
LEAST_WIDTH = 8
"""Minimum width of a cut cell, in columns of the terminal."""

_NUMBER = re.compile(r"[-+]?\d[\d.,]*( ?%)?( (to|of) [-+]?\d[\d.,]*)?|-?")
_WITH_INTERVAL = re.compile(rf"(?:{_NUMBER.pattern})(?: \([-\d.]+\))?")


def terminal_width() -> int:
    """Return the width of the terminal in columns: $COLUMNS, else the real width, or 80 without a terminal."""
    return shutil.get_terminal_size().columns


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return `rows` under `head` as a text table that fits the terminal, with control characters escaped.

    Numbers are right-aligned. If the table is too wide, its widest cells are cut. Numbers and the names in the first
    column are never cut, even if lines get longer than the terminal. Without a terminal, as in a file or a pipe,
    nothing is cut unless $COLUMNS sets a width.
    """
    cells = [[printable(str(cell)) for cell in row] for row in (head, *rows)]
    columns = list(zip(*cells, strict=True))
    numeric = [len(column) > 1 and all(map(_NUMBER.fullmatch, column[1:])) for column in columns]
    widths = [max(map(cell_len, column)) for column in columns]
    whole = [
        max((cell_len(cell) for cell in column[1:] if _WITH_INTERVAL.fullmatch(cell)), default=0)
        for i, column in enumerate(columns)
    ]
    whole[0] = widths[0]
    is_limited = sys.stdout.isatty() or "COLUMNS" in os.environ
    fitted = _fitted(widths, whole, terminal_width() - len(GAP) * (len(columns) - 1)) if is_limited else widths
    lines = [
        GAP.join(
            _aligned(cell, width, right=right) for cell, width, right in zip(row, fitted, numeric, strict=True)
        ).rstrip()
        for row in cells
    ]
    lines.insert(1, GAP.join("-" * width for width in fitted))
    return "\n".join(lines)


def _fitted(widths: Sequence[int], whole: Sequence[int], room: int) -> list[int]:
    """Return `widths` cut to a common limit, the largest limit that lets all columns fit into `room`.

    No width is cut below its minimum in `whole`.
    """
    limit = max(widths)
    fitted = list(widths)
    while sum(fitted) > room and limit > LEAST_WIDTH:
        limit -= 1
        fitted = [min(width, max(limit, least)) for width, least in zip(widths, whole, strict=True)]
    return fitted


def _aligned(cell: str, width: int, *, right: bool) -> str:
    size = cell_len(cell)
    if size > width:
        cut = set_cell_size(cell, width - 1).rstrip() + "…"
        return set_cell_size(cut, width)
    return " " * (width - size) + cell if right else cell + " " * (width - size)
