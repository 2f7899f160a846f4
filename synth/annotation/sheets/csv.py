"""CSV as spreadsheets read and write it: with a byte order mark, in whatever encoding it comes back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from synth.annotation.sheets.base import Entry, Problem, Sheet, file_bytes
from synth.annotation.sheets.tabular import cells, heads, returned
from synth.documents.decoding import decode
from synth.documents.reasons import Unloadable
from synth.jsonl import write_atomic

SUFFIXES = (".csv", ".tsv")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_LONGEST = 10_000_000


def write(path: Path, entries: Sequence[Entry], language: str, guideline: str) -> list[Path]:
    """Write the rows to `path`; what a spreadsheet would take for a formula begins with an apostrophe."""
    target = io.StringIO()
    writer = csv.writer(target, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", lineterminator="\r\n")
    writer.writerow(heads(language))
    for entry in entries:
        writer.writerow([_guarded(cell) for cell in cells(entry, language)])
    write_atomic(path, "\ufeff" + target.getvalue())
    return [path]


def read(path: Path) -> Sheet:
    """The rows of a file in any encoding and with any of the usual separators. Raises InputError if unreadable."""
    try:
        text, _ = decode(file_bytes(path))
    except Unloadable as error:
        return Sheet((), (Problem(path.name, f"this is no text: {error}"),))
    return returned(_lines(text), path.name)


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
