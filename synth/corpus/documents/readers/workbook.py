"""XLSX: the tables of each sheet as a person sees them, by openpyxl, with numbers shown by xlfmt."""

from __future__ import annotations

import io
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate, groupby, pairwise
from typing import Any, TypeAlias

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine, File, FileContent
from synth.corpus.documents.grid import Cell, columns_of, is_line, resolved
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import HIDDEN, NOT_CALCULATED, Limit, parsing

_MOST_SCANNED = 5_000_000
"""Cells and rows of a workbook, empty ones included: several sheets may show the same data."""

_MOST_NAMED = 3
_MOST_NOTES = 20
_LONG_LINE = 80
"""Characters of a cell in a column of prose."""

_LOCAL_DATES = {14: "yyyy-mm-dd", 22: "yyyy-mm-dd h:mm"}
"""Formats that each computer shows in the order of its own country."""


class WorkbookReader(Reader):
    """Sheets of a workbook, each under its name; formulas as the values last computed.

    Hidden sheets, rows and columns are left out and named, and so are formulas without a value.
    """

    name = "xlsx"
    suffixes = (".xlsx", ".xlsm")
    isolated = True

    def read(self, file: File) -> FileContent:
        with optional(f"reading {file.name}"):
            import xlfmt  # noqa: F401
            from openpyxl import load_workbook
            from openpyxl.utils.exceptions import InvalidFileException

        check_archive(file)
        with parsing("XLSX", InvalidFileException), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            workbook = load_workbook(io.BytesIO(file.data), read_only=True, data_only=True, rich_text=True)
            scanned = Limit(_MOST_SCANNED, "cells and rows")
            blocks: list[str] = []
            left_out: list[BadLine] = []
            for sheet in workbook.worksheets:
                if sheet.sheet_state != "visible":
                    left_out.append(BadLine(sheet.title, HIDDEN, "the sheet"))
                    continue
                cells = _read(sheet, scanned)
                left_out += _left_out(sheet.title, cells)
                found = [block for region in _regions(cells) for block in _region(region)]
                if found:
                    blocks += [markdown.heading(2, sheet.title), *found]
            title = " ".join((workbook.properties.title or "").split())
            workbook.close()
        return FileContent(markdown.join(blocks), title, bad_lines=tuple(left_out))


_Row: TypeAlias = dict[int, Cell]
"""Cells that hold something, by column."""


@dataclass(slots=True)
class _Cells:
    """The visible cells of a sheet by row, and what is left out of it."""

    rows: dict[int, _Row] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    not_calculated: list[str] = field(default_factory=list)


@cache
def _parser() -> type[Any]:
    from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

    class Parser(WorkSheetParser):  # type: ignore[misc]
        """The parser of openpyxl, which also gives merged cells and dimensions; marks formulas without a value."""

        def parse_cell(self, element: Any) -> Any:
            cell = super().parse_cell(element)
            if cell["value"] is None and element.find(FORMULA_TAG) is not None:
                cell["data_type"] = "f"
            return cell

    return Parser


def _read(sheet: Any, scanned: Limit) -> _Cells:
    cells, styles = _Cells(), _Styles(sheet)
    with sheet._get_source() as source:
        parser = _parser()(source, sheet._shared_strings, data_only=True, rich_text=True)
        for number, row in parser.parse():
            scanned.add(1 + max((cell["column"] for cell in row), default=0))
            shown = {}
            for cell in row:
                place = (number, cell["column"])
                if cell["data_type"] == "f":
                    cells.not_calculated.append(_name(*place))
                elif cell["value"] is not None and (text := styles.text(cell)):
                    shown[place[1]] = Cell(text, cell["data_type"] in "nbd", place)
            if shown:
                scanned.add(max(number - max(cells.rows, default=0) - 1, 0))
                cells.rows[number] = shown
    cells.hidden_rows = {int(number) for number, row in parser.row_dimensions.items() if _is_on(row.get("hidden"))}
    for column in parser.column_dimensions.values():
        if _is_on(column.get("hidden")):
            cells.hidden_columns.append((int(column["min"]), int(column["max"])))
    numbers = sorted(cells.rows)
    widest = max((max(row) for row in cells.rows.values()), default=0)
    for merged in parser.merged_cells.mergeCell if parser.merged_cells else ():
        first_column, first_row, last_column, last_row = merged.bounds
        columns = range(first_column, min(last_column, widest) + 1)
        covered = numbers[bisect_left(numbers, first_row) : bisect_right(numbers, last_row)]
        scanned.add(len(covered) * len(columns))
        _spread(cells, covered, columns, (first_row, first_column))
    _hide(cells)
    return cells


def _is_on(value: str | None) -> bool:
    return value in ("1", "true")


def _name(row: int, column: int) -> str:
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(column)}{row}"


def _spread(cells: _Cells, rows: Sequence[int], columns: Sequence[int], origin: tuple[int, int]) -> None:
    """Repeat the text of a merged cell in each cell that it covers, in rows that hold something else as well."""
    source = cells.rows.get(origin[0], {}).get(origin[1])
    if source is not None:
        for number in rows:
            cells.rows[number].update(dict.fromkeys(columns, source))


def _hide(cells: _Cells) -> None:
    """Drop hidden rows and columns and keep the names of those that held something."""
    from openpyxl.utils import get_column_letter

    for number in cells.hidden_rows & cells.rows.keys():
        del cells.rows[number]
        cells.hidden.append(f"row {number}")
    cells.hidden.sort(key=lambda name: int(name.split()[1]))
    used = sorted(set().union(*cells.rows.values()))
    columns = [one for one in used if any(first <= one <= last for first, last in cells.hidden_columns)]
    for row in cells.rows.values():
        for column in columns:
            row.pop(column, None)
    cells.hidden += [f"column {get_column_letter(column)}" for column in columns]
    cells.rows = {number: row for number, row in cells.rows.items() if row}


def _left_out(sheet: str, cells: _Cells) -> Iterator[BadLine]:
    if cells.hidden:
        yield BadLine(sheet, HIDDEN, _listed(cells.hidden))
    if cells.not_calculated:
        detail = f"{_listed(cells.not_calculated)}; open the file in a spreadsheet program and save it"
        yield BadLine(sheet, NOT_CALCULATED, detail)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


class _Styles:
    """Text of cells by the styles of their workbook."""

    def __init__(self, sheet: Any) -> None:
        from openpyxl.utils.datetime import CALENDAR_MAC_1904

        self._sheet = sheet
        self._is_1904 = sheet.parent.epoch == CALENDAR_MAC_1904
        self._known: dict[int, tuple[str, bool]] = {}

    def text(self, cell: Mapping[str, Any]) -> str:
        """Text that a person sees in a cell: "" where it is struck out."""
        format, is_struck = self._style(cell["style_id"])
        value = cell["value"]
        if is_struck:
            return ""
        if isinstance(value, list | tuple):
            value = "".join(map(_run, value))
        shown = _shown(value, format, self._is_1904)
        return "" if shown.isspace() else shown

    def _style(self, number: int) -> tuple[str, bool]:
        from openpyxl.cell.read_only import ReadOnlyCell

        if number not in self._known:
            cell = ReadOnlyCell(self._sheet, 1, 1, None, style_id=number)
            format = _LOCAL_DATES.get(cell.style_array.numFmtId, cell.number_format)
            self._known[number] = (format, bool(cell.font.strike))
        return self._known[number]


def _run(run: Any) -> str:
    """Text of a part of a cell with a format of its own."""
    if isinstance(run, str):
        return run
    if run.font.strike:
        return ""
    raised = {"superscript": markdown.superscript, "subscript": markdown.subscript}.get(run.font.vertAlign)
    return raised(run.text) if raised else run.text


@lru_cache(maxsize=100_000, typed=True)
def _shown(value: Any, format: str, is_1904: bool) -> str:
    """A value in an Excel number format. What xlfmt cannot show stays a plain number."""
    from xlfmt import format_value

    if format == "General" and isinstance(value, int | float) and not isinstance(value, bool):
        return _plain(value)
    try:
        return str(format_value(value, format, date1904=is_1904)).strip()
    except (ValueError, ArithmeticError, LookupError, TypeError):
        return _plain(value) if isinstance(value, int | float) else str(value)


def _plain(value: float) -> str:
    """A number as Excel shows it in a cell that is wide enough, with 15 digits at most."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.15G}"


def _regions(cells: _Cells) -> Iterator[list[_Row]]:
    """The tables and notes of a sheet: rows between empty rows, cut where two tables stand side by side.

    Rows below an empty row continue the table above when they begin with no header of their own.
    """
    hidden, before = sorted(cells.hidden_rows), 0
    region: list[_Row] = []
    columns: set[int] = set()
    for number in sorted(cells.rows):
        row = cells.rows[number]
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
    """Whether a row below an empty one belongs to the table above it: it has values, in columns of that table."""
    return len(columns) > 1 and row.keys() <= columns and any(cell.is_value for cell in row.values())


def _side_by_side(rows: list[_Row]) -> Iterator[list[_Row]]:
    """The tables that an empty column separates: each has two rows and columns, and names in its first column."""
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
    """Blocks of a region: the lines above its table, the table, and the notes below it."""
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
    """Whether a last row is a note and no row of the table: one cell, longer than the names above, or a sentence."""
    if not is_line(row) or column not in row or row[column].is_value:
        return False
    text = row[column].text
    longest = max((len(other[column].text) for other in above if column in other), default=0)
    return len(text) > 2 * longest or text.endswith((".", "。")) or ":" in text or "：" in text
