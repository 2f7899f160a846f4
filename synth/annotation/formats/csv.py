"""CSV for spreadsheets: written as UTF-8 with a byte order mark, read in any common encoding."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from synth.annotation.formats.base import Problem, ReturnedSheet, RowToWrite, file_bytes
from synth.annotation.formats.tabular import cells, has_columns, heads, returned
from synth.core.jsonl import write_atomic
from synth.corpus.documents.decoding import SPREADSHEETS, decoded
from synth.corpus.documents.reasons import Unloadable

SUFFIXES = (".csv", ".tsv")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_LONGEST = 10_000_000


def write(path: Path, entries: Sequence[RowToWrite], language: str, guideline: str) -> list[Path]:
    """Write the rows to `path`. Cells that look like formulas are escaped with an apostrophe."""
    target = io.StringIO()
    writer = csv.writer(target, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", lineterminator="\r\n")
    writer.writerow(heads(language))
    for entry in entries:
        writer.writerow([_guarded(cell) for cell in cells(entry, language)])
    write_atomic(path, "\ufeff" + target.getvalue())
    return [path]


def read(path: Path) -> ReturnedSheet:
    """Read the rows of a file, with encoding and separator detected. Raises InputError if it cannot be opened.

    If the file is not text, the result contains that problem and no rows.
    """
    content = file_bytes(path)
    try:
        text = decoded(content, among=SPREADSHEETS).text
    except Unloadable as error:
        text = _by_columns(content)
        if not text:
            return ReturnedSheet((), (Problem(path.name, f"not a text file: {error.detail or error.reason}"),))
    return returned(enumerate(_lines(text), start=1), path.name)


def _by_columns(content: bytes) -> str:
    """Decode bytes with the first encoding in which the header has the required columns; "" if there is none."""
    for encoding in SPREADSHEETS:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text and has_columns(next(_lines(text), [])):
            return text
    return ""


def _lines(text: str) -> Iterator[list[str]]:
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    csv.field_size_limit(_LONGEST)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    while True:
        try:
            line = next(reader)
        except StopIteration:
            return
        except csv.Error:
            line = []
        yield [_unguarded(cell) for cell in line]


def _guarded(cell: str) -> str:
    return "'" + cell if _FORMULA.match(cell) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if _ESCAPED.match(cell) else cell
