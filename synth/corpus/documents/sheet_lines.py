"""Rows of the first sheet of a workbook; only one row is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from synth.core.errors import InputError
from synth.core.extras import optional
from synth.core.input_files import bytes_of
from synth.corpus.documents.file_content import File
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.reasons import Unloadable, parsing

_LARGEST = 100_000_000  # bytes
_MOST_COLUMNS = 1_000


def sheet_lines(path: Path) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield the number (from 1) and the cells of each row of the first sheet. Formulas appear as their stored values.

    Rows without cells are skipped. At most 1,000 columns are read, and rows may be shorter. Raise InputError if the
    file cannot be opened, is larger than 100 MB, or unpacks to an excessive size.
    """
    with optional(f"reading {path.name}"):
        from openpyxl import load_workbook

    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(
                f"cannot read {path}: it is larger than {_LARGEST // 10**6} MB; split it into smaller files"
            )
        check_archive(File(path.name, bytes_of(path), 5 * _LARGEST))
        with parsing("Excel"):
            book = load_workbook(path, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # a file may state wrong dimensions
            # Without dimensions, empty rows have no cells. A sheet may have a million empty rows before its last cell.
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
                if row:
                    yield number, row[:_MOST_COLUMNS]
    except Unloadable as error:
        advice = "open it in a spreadsheet program and save it again, as XLSX or CSV"
        raise InputError(f"cannot read {path}: {error.detail or error.reason}; {advice}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
