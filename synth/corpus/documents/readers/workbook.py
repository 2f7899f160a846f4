"""XLSX: the tables of each sheet as displayed, read by openpyxl, with numbers formatted by xlfmt."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine, File, FileContent
from synth.corpus.documents.grid import GridCell
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import HIDDEN, Limit, parsing
from synth.corpus.documents.sheet import MOST_SCANNED, Sheet, column_letters

_LOCAL_DATES = {14: "yyyy-mm-dd", 22: "yyyy-mm-dd h:mm"}
"""Date formats whose order depends on the country of the computer, with the formats that we use instead."""


class WorkbookReader(Reader):
    """Sheets of a workbook, each under its name. Formulas appear as their last computed values.

    Hidden sheets, rows and columns and formulas without a value are left out and reported.
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
            scanned = Limit(MOST_SCANNED, "cells and rows")
            blocks: list[str] = []
            left_out: list[BadLine] = []
            for sheet in workbook.worksheets:
                if sheet.sheet_state != "visible":
                    left_out.append(BadLine(sheet.title, HIDDEN, "the sheet"))
                    continue
                cells = _read(sheet, scanned)
                left_out += cells.left_out()
                blocks += cells.blocks()
            title = " ".join((workbook.properties.title or "").split())
            workbook.close()
        return FileContent(markdown.join(blocks), title, bad_lines=tuple(left_out))


@cache
def _parser() -> type[Any]:
    from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

    class Parser(WorkSheetParser):  # type: ignore[misc]
        """Parser of openpyxl with access to merged cells and dimensions; it also marks formulas without a value."""

        def parse_cell(self, element: Any) -> Any:
            cell = super().parse_cell(element)
            if cell["value"] is None and element.find(FORMULA_TAG) is not None:
                cell["data_type"] = "f"
            return cell

    return Parser


def _read(sheet: Any, scanned: Limit) -> Sheet:
    cells, styles = Sheet(sheet.title), _Styles(sheet)
    with sheet._get_source() as source:
        parser = _parser()(source, sheet._shared_strings, data_only=True, rich_text=True)
        for number, row in parser.parse():
            scanned.add(1 + max((cell["column"] for cell in row), default=0))
            shown = {}
            for cell in row:
                place = (number, cell["column"])
                if cell["data_type"] == "f":
                    cells.not_calculated.append(f"{column_letters(cell['column'])}{number}")
                elif cell["value"] is not None and (text := styles.text(cell)):
                    shown[place[1]] = GridCell(text, cell["data_type"] in "nbd", place)
            if shown:
                scanned.add(max(number - max(cells.rows, default=0) - 1, 0))
                cells.rows[number] = shown
    cells.hidden_rows = {int(number) for number, row in parser.row_dimensions.items() if _is_on(row.get("hidden"))}
    for column in parser.column_dimensions.values():
        if _is_on(column.get("hidden")):
            cells.hidden_columns.append((int(column["min"]), int(column["max"])))
    for merged in parser.merged_cells.mergeCell if parser.merged_cells else ():
        first_column, first_row, last_column, last_row = merged.bounds
        cells.merge((first_row, first_column, last_row, last_column), scanned)
    cells.hide()
    return cells


def _is_on(value: str | None) -> bool:
    return value in ("1", "true")


class _Styles:
    """Text of cells as formatted by the styles of their workbook."""

    def __init__(self, sheet: Any) -> None:
        from openpyxl.utils.datetime import CALENDAR_MAC_1904

        self._sheet = sheet
        self._is_1904 = sheet.parent.epoch == CALENDAR_MAC_1904
        self._known: dict[int, tuple[str, bool]] = {}

    def text(self, cell: Mapping[str, Any]) -> str:
        """Return the displayed text of a cell; "" if it has strikethrough."""
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
    """Return the text of a part of a cell that has its own format."""
    if isinstance(run, str):
        return run
    if run.font.strike:
        return ""
    raised = {"superscript": markdown.superscript, "subscript": markdown.subscript}.get(run.font.vertAlign)
    return raised(run.text) if raised else run.text


@lru_cache(maxsize=100_000, typed=True)
def _shown(value: Any, format: str, is_1904: bool) -> str:
    """Return a value in an Excel number format. A value that xlfmt cannot format becomes plain text."""
    from xlfmt import format_value

    if format == "General" and isinstance(value, int | float) and not isinstance(value, bool):
        return _plain(value)
    try:
        return str(format_value(value, format, date1904=is_1904)).strip()
    except (ValueError, ArithmeticError, LookupError, TypeError):
        return _plain(value) if isinstance(value, int | float) else str(value)


def _plain(value: float) -> str:
    """Return a number as Excel shows it in a wide cell, with at most 15 digits."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.15G}"
