"""CSV, TSV and XLSX: pipe tables where rows are narrow, `column: value` lists where they are not."""

# LangChain's CSVLoader makes a document of each row and knows no encodings; its Excel loader needs unstructured. So
# neither is used.

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterator
from typing import Any

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import Limit, parsing

_MOST_SCANNED = 5_000_000
"""Cells and rows of a workbook, empty ones included: several sheets may show the same data."""

_DELIMITERS = ",;\t|"


class CsvReader(Reader):
    """A table; the first row has the column names. The delimiter is guessed from the first lines."""

    name = "csv"
    suffixes = (".csv",)

    def read(self, file: File) -> FileContent:
        text, encoding = text_of(file)
        if not text.strip():
            return FileContent()
        with parsing("CSV", csv.Error):
            table = csv.reader(io.StringIO(text), delimiter=_delimiter(file.name, text))
            rows = list(markdown.limited(row for row in table if any(row)))
        return FileContent(markdown.join([markdown.table_or_records(rows)]), metadata={"encoding": encoding})


class TsvReader(CsvReader):
    """A table whose cells are separated by tabs."""

    name = "tsv"
    suffixes = (".tsv",)


def _delimiter(name: str, text: str) -> str:
    if name.casefold().endswith(".tsv"):
        return "\t"
    lines = [line for line in text.split("\n", 20)[:20] if line.strip()]
    counts = {delimiter: [line.count(delimiter) for line in lines] for delimiter in _DELIMITERS}
    # Best is one that every line has, then one that the first line has most often, then the more usual one.
    return max(_DELIMITERS, key=lambda d: (min(counts[d]) > 0, counts[d][0], -_DELIMITERS.index(d)))


class WorkbookReader(Reader):
    """Sheets of a workbook, each under its name; formulas as the values last computed."""

    name = "xlsx"
    suffixes = (".xlsx",)
    isolated = True

    def read(self, file: File) -> FileContent:
        with optional(f"reading {file.name}"):
            from openpyxl import load_workbook
            from openpyxl.utils.exceptions import InvalidFileException

        check_archive(file)
        with parsing("XLSX", InvalidFileException), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            workbook = load_workbook(io.BytesIO(file.data), read_only=True, data_only=True)
            cells = Limit(_MOST_SCANNED, "cells and rows")
            body = markdown.join(block for sheet in workbook.worksheets for block in _sheet(sheet, cells))
            title = " ".join((workbook.properties.title or "").split())
            workbook.close()
        return FileContent(body, title)


def _sheet(sheet: Any, cells: Limit) -> Iterator[str]:
    rows = list(markdown.limited(row for row in _rows(sheet, cells) if any(row)))
    filled = sorted({index for row in rows for index, cell in enumerate(row) if cell})
    if rows:
        yield markdown.heading(2, sheet.title)
        yield markdown.table_or_records([[row[column] for column in filled] for row in rows])


def _rows(sheet: Any, cells: Limit) -> Iterator[list[str]]:
    """Rows without the empty cells at their ends."""
    # The size that a sheet declares may be any: openpyxl would fill every row to it.
    sheet.reset_dimensions()
    for row in sheet.iter_rows(values_only=True):
        cells.add(1 + len(row))
        texts = [_cell(value) for value in row]
        while texts and not texts[-1]:
            texts.pop()
        yield texts


def _cell(value: Any) -> str:
    """A cell as text: whole numbers without a decimal point, dates at midnight without the time."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).removesuffix(" 00:00:00").strip()
