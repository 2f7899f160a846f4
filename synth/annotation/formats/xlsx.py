"""XLSX: a sheet to fill in with drop-down lists, and a second sheet with the guideline."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from synth.annotation.formats.base import ReturnedSheet, RowToWrite
from synth.annotation.formats.tabular import BOUND, COLUMNS, SHOWN, as_cell, cells, heads, returned
from synth.annotation.messages import wording
from synth.annotation.records import BEST, DECISIONS, DIMENSIONS, REASONS
from synth.core.errors import InputError
from synth.core.extras import optional
from synth.corpus.documents.sheet_lines import sheet_lines

SUFFIXES = (".xlsx",)
_WIDTHS = {"context": 70, "question": 40, "answers": 30, "new_question": 40, "new_answers": 30, "comment": 30}
_LONGEST_LIST = 255


def write(path: Path, entries: Sequence[RowToWrite], language: str, guideline: str) -> list[Path]:
    """Write the rows to the first sheet of `path` and the guideline to the second.

    Raises InputError if the file cannot be written.
    """
    with optional(f"writing {path.name}"):
        from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = wording(language)["page"]["title"]
    _fill(sheet, [heads(language), *(cells(entry, language) for entry in entries)])
    _dress(sheet, len(entries) + 1, language)
    second = book.create_sheet(wording(language)["page"]["guide"])
    _fill(second, [[line] for line in guideline.split("\n")])
    second.column_dimensions["A"].width = 110
    _save(book, path)
    return [path]


def read(path: Path) -> ReturnedSheet:
    """Read the rows of the first sheet. Raises InputError if the file cannot be opened."""
    return returned(((number, list(map(_text, line))) for number, line in sheet_lines(path)), path.name)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("_x000D_", "")  # a carriage return in a workbook
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _fill(sheet: Any, lines: Sequence[Sequence[str]]) -> None:
    from openpyxl.styles import Alignment

    for row, line in enumerate(lines, start=1):
        for column, text in enumerate(line, start=1):
            cell = sheet.cell(row, column)
            cell.value = as_cell(text)
            cell.data_type = "s"
            cell.alignment = Alignment(wrap_text=True, vertical="top")


def _dress(sheet: Any, lines: int, language: str) -> None:
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    words = wording(language)
    for number, name in enumerate(COLUMNS, start=1):
        letter = get_column_letter(number)
        sheet.column_dimensions[letter].width = _WIDTHS.get(name, 14)
        sheet.column_dimensions[letter].hidden = name in BOUND[1:]
        head = sheet.cell(1, number)
        head.font = Font(bold=True)
        head.fill = PatternFill("solid", fgColor="E4E4E0" if name in (*SHOWN, *BOUND) else "CFE3CF")
        choices = _choices(name, words)
        if choices:
            rule = DataValidation(type="list", formula1=f'"{choices}"', allow_blank=True, showErrorMessage=True)
            rule.add(f"{letter}2:{letter}{max(2, lines)}")
            sheet.add_data_validation(rule)
    sheet.freeze_panes = "A2"


def _choices(name: str, words: Any) -> str:
    """Return the choices of a column as the formula of a drop-down list; "" if the column is free text."""
    if name == "decision":
        choices = [words["decision"][key] for key in DECISIONS]
    elif name == "reason":
        choices = [words["reason"][key] for key in REASONS]
        choices = (
            choices
            if not any("," in key for key in choices) and len(",".join(choices)) <= _LONGEST_LIST
            else list(REASONS)
        )
    elif name in DIMENSIONS:
        choices = [str(level) for level in range(1, BEST + 1)]
    else:
        return ""
    return ",".join(choices)


def _save(book: Any, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        os.close(handle)
        try:
            book.save(name)
            os.replace(name, path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
