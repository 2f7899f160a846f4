"""Plain tables for a terminal, in which Chinese characters are as wide as they are shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

MAX_WIDTH = 72


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """`rows` under `head` in columns; a cell wider than 72 columns is cut, control characters are shown escaped."""
    cells = [[_clean(str(one)) for one in head], *([_clean(str(cell)) for cell in row] for row in rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(_padded(cell, w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(lines)


def width(text: str) -> int:
    """Columns that `text` takes on a terminal: two for a wide character, none for a combining one."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def printable(text: str) -> str:
    """`text` with what a terminal would obey, or cannot show, written as an escape."""
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


def _clean(text: str) -> str:
    shown = printable(text)
    if width(shown) <= MAX_WIDTH:
        return shown
    kept = ""
    for char in shown:
        if width(kept + char) > MAX_WIDTH - 1:
            break
        kept += char
    return kept + "…"


def _padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))
