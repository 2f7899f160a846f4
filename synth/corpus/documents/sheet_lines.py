"""The lines of the first sheet of a workbook, one in memory at a time."""

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
    """The cells of each row of the first sheet that has any, by number from 1; formulas by their stored values.

    At most 1,000 columns are read, and rows that end earlier are shorter. Raises InputError when the file cannot be
    opened, is of over 100 MB, or unpacks to more than an honest one does.
    """
    with optional(f"reading {path.name}"):
        from openpyxl import load_workbook

    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"cannot read {path}: it is of over {_LARGEST // 10**6} MB; save a smaller part of it")
        check_archive(File(path.name, bytes_of(path), 5 * _LARGEST))
        with parsing("Excel"):
            book = load_workbook(path, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # a file may state any
            # Without a number of columns, an empty row has no cell: a sheet may have a million before a far cell.
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
                if row:
                    yield number, row[:_MOST_COLUMNS]
    except Unloadable as error:
        advice = "open it in a spreadsheet program and save it again, as XLSX or CSV"
        raise InputError(f"cannot read {path}: {error.detail or error.reason}; {advice}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
