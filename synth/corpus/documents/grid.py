"""Tables with spans. A cell that covers several rows or columns is repeated in each of them, unless it is long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

_MOST_HEADER_ROWS = 4
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_REPEATED = 60
"""Maximum characters of a repeated cell. Labels are short, and a longer cell is a text of its own."""

_WIDEST_CELL = 1_000
"""Maximum number of columns that a cell may span, as in HTML."""

_VALUE = re.compile(r"[^\w]*\d[\d.,'\s]*[^\w]*")


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell as displayed. `origin` is the row and the column where it begins."""

    text: str
    is_value: bool
    origin: tuple[int, int]


Row: TypeAlias = Mapping[int, GridCell]
"""Cells by column; a cell over several columns is in each of them."""


def is_value(text: str) -> bool:
    """Whether a text is a number, such as "1,234.50 €"."""
    return bool(_VALUE.fullmatch(text))


def columns_of(rows: Sequence[Row]) -> list[int]:
    """Return the columns that contain a cell, in order."""
    return sorted({column for row in rows for column in row})


def is_line(row: Row) -> bool:
    """Whether a row consists of one cell, which may cover several columns."""
    return len({cell.origin for cell in row.values()}) == 1


def placed(rows: Iterable[Iterable[tuple[str, int, int]]]) -> Iterator[Row]:
    """Yield rows made from cells (text, number of columns, number of rows).

    Each cell takes the first column of its row that no cell from a row above covers.
    """
    below: dict[int, tuple[GridCell, int]] = {}
    for number, row in enumerate(rows):
        cells = {column: cell for column, (cell, _) in below.items()}
        below = {column: (cell, left - 1) for column, (cell, left) in below.items() if left > 1}
        column = 0
        for text, width, height in row:
            while column in cells:
                column += 1
            cell = GridCell(text, is_value(text), (number, column))
            covered = range(column, column + min(max(width, 1), _WIDEST_CELL))
            cells |= dict.fromkeys(covered, cell)
            if height > 1:
                below |= dict.fromkeys(covered, (cell, height - 1))
        yield cells


def resolved(rows: Sequence[Row], head: int = 0) -> Iterator[list[str]]:
    """Yield rows of texts. The first row contains the column headers.

    A header that spans columns is put before the headers below it: "2023: Sales". `head` is the number of header rows.
    If `head` is 0, the header rows are the first row and the rows below headers that span rows or columns.
    """
    columns = columns_of(rows)
    head = min(head, len(rows)) or _header_rows(rows)
    headers = []
    for column in columns:
        parts = {row[column].origin: row[column].text for row in rows[:head] if column in row}
        headers.append(": ".join(dict.fromkeys(filter(None, parts.values()))))
    labels = {column: row[column].origin for row in rows[:head] for column in row}
    shown: set[tuple[int, int]] = set()
    yield headers
    for row in rows[head:]:
        yield _texts(row, columns, labels, shown)


def _header_rows(rows: Sequence[Row]) -> int:
    count = 1
    while count < min(len(rows) - 1, _MOST_HEADER_ROWS):
        row, below = rows[count - 1], rows[count]
        origins = [cell.origin for cell in row.values()]
        spans_rows = any(cell.origin in origins for cell in below.values())
        spans_columns = len(set(origins)) < len(origins)
        has_values = any(cell.is_value and not _YEAR.fullmatch(cell.text) for cell in below.values())
        if not spans_rows and (not spans_columns or has_values):
            break
        count += 1
    return count


def _texts(
    row: Row, columns: Sequence[int], labels: Mapping[int, tuple[int, int]], shown: set[tuple[int, int]]
) -> list[str]:
    """Return the texts of a row. A spanning cell is repeated in each row, and in each column with a different header.

    A cell that fills the row and a long text appear only once. A number that spans columns appears in its first column.
    `shown` collects the cells of the rows above.
    """
    texts: list[str] = []
    places: set[tuple[tuple[int, int], tuple[int, int] | None]] = set()
    origins: set[tuple[int, int]] = set()
    is_one = bool(row) and is_line(row)
    for column in columns:
        cell = row.get(column)
        if cell is None:
            texts.append("")
            continue
        place = (cell.origin, None if is_one else labels.get(column))
        is_beside = cell.origin in origins
        is_long = (is_beside or cell.origin in shown) and len(cell.text) > _LONGEST_REPEATED
        is_left_out = place in places or is_long or (is_beside and cell.is_value)
        texts.append("" if is_left_out else cell.text)
        places.add(place)
        origins.add(cell.origin)
    shown |= origins
    return texts
