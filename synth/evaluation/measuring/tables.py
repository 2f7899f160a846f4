"""Tables in answers and rows, read from Markdown, CSV or JSON, and compared in any order of rows and columns."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from synth.evaluation.measuring.answer_normalisation import Folding, number_values, tokens
from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.metrics.base import Case, Undefined

Row = Mapping[str, str]
_RULE = re.compile(r"^[\s|:\-]+$")
_FENCE = re.compile(r"```\w*+(?>\s*\n)(.*?)```", re.DOTALL)


def tables(case: Case) -> tuple[list[Row], list[Row]] | Undefined:
    """Return the table of the answer and the row's `table`, folded; Undefined if the row has no readable table."""
    table = case.item.metadata.get("table")
    if table is None:
        return Undefined("the row has no table")
    golden_rows = rows_of(table)
    if golden_rows is None:
        return Undefined("the row's table is unreadable; use Markdown, CSV, a list of lists or a list of objects")
    answer_rows = rows_of(case.answer) or []
    return _folded(answer_rows, case.folding), _folded(golden_rows, case.folding)


def multiset_f1(actual: Sequence[Hashable], expected: Sequence[Hashable]) -> float:
    """Return the F1 of two lists in any order, counting repetitions; 1 if both are empty."""
    return f1(*overlap(actual, expected))


def rows_of(table: Any) -> list[dict[str, Any]] | None:
    """Return the rows of a table as mappings from column to cell; None if it cannot be read.

    Known are Markdown and CSV with a header, JSON, a list of lists with a header, and a list of objects.
    """
    if isinstance(table, str):
        return _from_text(table)
    if not isinstance(table, list) or not table:
        return None
    if all(isinstance(row, Mapping) for row in table):
        return [dict(row) for row in table]
    if all(isinstance(row, list) for row in table):
        head, *rows = table
        return [dict(zip(map(str, head), row, strict=False)) for row in rows]
    return None


def _from_text(text: str) -> list[dict[str, Any]] | None:
    fenced = _FENCE.search(text)
    body = (fenced[1] if fenced else text).strip()
    if body[:1] in ("[", "{"):
        try:
            value = json.loads(body)
        except (json.JSONDecodeError, RecursionError):
            return None
        return rows_of(value if isinstance(value, list) else [value])
    lines = body.splitlines()
    piped = [line.strip() for line in lines if line.count("|") > 1 or (line.count("|") == 1 and len(lines) > 1)]
    if piped:
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in piped if not _RULE.match(line)]
    else:
        mark = "\t" if "\t" in body else "," if "," in body else ";"
        cells = [row for row in csv.reader(io.StringIO(body), delimiter=mark) if row]
    if len(cells) < 2 or len(cells[0]) < 2:
        return None
    return rows_of(cells)


def _folded(rows: Sequence[Mapping[str, Any]], folding: Folding) -> list[Row]:
    return [{_cell(name, folding): _cell(value, folding) for name, value in row.items()} for row in rows]


def _cell(value: Any, folding: Folding) -> str:
    """Return a cell as it is compared: numbers by value, words by their tokens."""
    text = "" if value is None else str(value).strip()
    plain = tokens(text, folding)
    numbers = number_values(text)
    if len(plain) == 1 and len(numbers) == 1:
        return format(next(iter(numbers)).normalize(), "f")
    return " ".join(plain)
