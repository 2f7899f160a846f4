"""A sheet of a spreadsheet: its visible cells, and the tables and notes that they form."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from typing import TypeAlias

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine
from synth.corpus.documents.grid import GridCell, columns_of, is_line, resolved
from synth.corpus.documents.reasons import HIDDEN, NOT_CALCULATED, Limit

MOST_SCANNED = 5_000_000
"""Maximum number of cells and rows of a workbook, including empty ones. Several sheets may show the same data."""

_MOST_NAMED = 3
_MOST_NOTES = 20
_LONG_LINE = 80
"""Maximum characters of a cell in a table. A column with longer cells is prose."""

_Row: TypeAlias = dict[int, GridCell]
"""Non-empty cells by column."""


@dataclass(slots=True)
class Sheet:
    """Cells of a sheet by row. `hidden` and `not_calculated` name the rows, columns and cells that are left out."""

    title: str
    rows: dict[int, _Row] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    not_calculated: list[str] = field(default_factory=list)

    def merge(self, bounds: tuple[int, int, int, int], scanned: Limit) -> None:
        """Repeat the content of a merged cell in each cell that it covers, in rows that contain other cells.

        `bounds` are first row, first column, last row and last column.
        """
        first_row, first_column, last_row, last_column = bounds
        source = self.rows.get(first_row, {}).get(first_column)
        numbers = sorted(self.rows)
        widest = max((max(row) for row in self.rows.values()), default=0)
        columns = range(first_column, min(last_column, widest) + 1)
        covered = numbers[bisect_left(numbers, first_row) : bisect_right(numbers, last_row)]
        scanned.add(len(covered) * len(columns))
        if source is not None:
            for number in covered:
                self.rows[number].update(dict.fromkeys(columns, source))

    def hide(self) -> None:
        """Drop hidden rows and columns and record the names of those that had content."""
        for number in sorted(self.hidden_rows & self.rows.keys()):
            del self.rows[number]
            self.hidden.append(f"row {number}")
        used = sorted(set().union(*self.rows.values()))
        columns = [one for one in used if any(first <= one <= last for first, last in self.hidden_columns)]
        for row in self.rows.values():
            for column in columns:
                row.pop(column, None)
        self.hidden += [f"column {column_letters(column)}" for column in columns]
        self.rows = {number: row for number, row in self.rows.items() if row}

    def left_out(self) -> Iterator[BadLine]:
        """Yield the parts that are not read."""
        if self.hidden:
            yield BadLine(self.title, HIDDEN, _listed(self.hidden))
        if self.not_calculated:
            detail = f"{_listed(self.not_calculated)}; open the file in a spreadsheet program and save it"
            yield BadLine(self.title, NOT_CALCULATED, detail)

    def blocks(self) -> Iterator[str]:
        """Yield the title, tables and notes as Markdown; nothing for an empty sheet."""
        found = [block for region in _regions(self) for block in _region(region)]
        if found:
            yield markdown.heading(2, self.title)
            yield from found


def column_letters(number: int) -> str:
    """Return the name of a column, counted from 1: "A", "AB"."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _regions(sheet: Sheet) -> Iterator[list[_Row]]:
    """Yield the tables and notes of a sheet: groups of rows between empty rows. Tables side by side are separated.

    Rows below an empty row continue the table above if they do not begin with a header of their own.
    """
    hidden, before = sorted(sheet.hidden_rows), 0
    region: list[_Row] = []
    columns: set[int] = set()
    for number in sorted(sheet.rows):
        row = sheet.rows[number]
        empty = number - before - 1 - (bisect_left(hidden, number) - bisect_right(hidden, before))
        if region and empty and not _continues(columns, row):
            yield from _side_by_side(region)
            region, columns = [], set()
        region.append(row)
        columns |= row.keys()
        before = number
    if region:
        yield from _side_by_side(region)


def _continues(columns: set[int], row: _Row) -> bool:
    """Whether a row below an empty row belongs to the table above: it has values, and no cell beside its columns."""
    return len(columns) > 1 and row.keys() <= columns and any(cell.is_value for cell in row.values())


def _side_by_side(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Yield the tables that empty columns separate.

    Rows are split only if each part is a table with two rows, two columns and names in its first column.
    """
    columns = columns_of(rows)
    table_of = dict(zip(columns, accumulate(b - a > 1 for a, b in pairwise([columns[0], *columns])), strict=True))
    tables: list[list[_Row]] = [[] for _ in range(table_of[columns[-1]] + 1)]
    for row in rows:
        for number, cells in groupby(sorted(row), key=table_of.__getitem__):
            tables[number].append({column: row[column] for column in cells})
    yield from tables if all(map(_stands_alone, tables)) else [rows]


def _stands_alone(rows: Sequence[_Row]) -> bool:
    columns = columns_of(rows)
    names = [row[columns[0]] for row in rows[1:] if columns[0] in row]
    return len(columns) > 1 and bool(names) and not any(cell.is_value for cell in names)


def _region(rows: Sequence[_Row]) -> Iterator[str]:
    """Yield blocks of a region: the lines above its table, the table, and the notes below it."""
    columns = columns_of(rows)
    first, last = 0, len(rows)
    if len(columns) > 1 or last == 1 or max(len(_line(row)) for row in rows) > _LONG_LINE:
        while first < last and is_line(rows[first]):
            first += 1
        while (
            len(rows) - last < _MOST_NOTES
            and last > first + 1
            and _is_note(rows[last - 1], rows[first : last - 1], columns[0])
        ):
            last -= 1
    table = rows[first:last]
    yield from (markdown.paragraph(_line(row)) for row in rows[:first])
    if table:
        yield markdown.table_or_records(list(markdown.limited(resolved(table))))
    yield from (markdown.paragraph(_line(row)) for row in rows[last:])


def _line(row: _Row) -> str:
    return next(iter(row.values())).text


def _is_note(row: _Row, above: Sequence[_Row], column: int) -> bool:
    """Whether the last row is a note below the table: one cell that is long, ends in a full stop or has a colon."""
    if not is_line(row) or column not in row or row[column].is_value:
        return False
    text = row[column].text
    longest = max((len(other[column].text) for other in above if column in other), default=0)
    return len(text) > 2 * longest or text.endswith((".", "。")) or ":" in text or "：" in text
