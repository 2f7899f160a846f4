"""Plain tables for a terminal, in which Chinese characters are as wide as they are shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

MAX_WIDTH = 72


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """`rows` under `head` in columns; a cell wider than 72 columns is cut, control characters are shown escaped."""
    cells = [list(head), *([_clean(str(cell)) for cell in row] for row in rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(_padded(cell, w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(lines)


def width(text: str) -> int:
    """Columns that `text` takes on a terminal: two for a wide character, none for a combining one."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _clean(text: str) -> str:
    printable = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    if width(printable) <= MAX_WIDTH:
        return printable
    kept = ""
    for char in printable:
        if width(kept + char) > MAX_WIDTH - 1:
            break
        kept += char
    return kept + "…"


def _padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))
