"""Tables compared: rows and cells, whatever the order of rows and columns."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.evaluation.metrics.answer_normalisation import Folding, number_values, tokens
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.evaluation.metrics.ranking import f1

Row = Mapping[str, str]
_RULE = re.compile(r"^[\s|:\-]+$")
_FENCE = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class TableRowF1(Metric):
    """F1 of the rows of the answer's table that are, in every cell, rows of the row's `table`."""

    name = "table_row_f1"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        both = _tables(case)
        if isinstance(both, Undefined):
            return {self.name: both}
        return {self.name: _f1(*([tuple(sorted(row.items())) for row in rows] for rows in both))}


@dataclass(frozen=True)
class TableCellF1(Metric):
    """F1 of the cells of the answer's table; a cell is known by its row's first cell and its column."""

    name = "table_cell_f1"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        both = _tables(case)
        if isinstance(both, Undefined):
            return {self.name: both}
        key = next(iter(both[1][0]), "") if both[1] else ""
        return {self.name: _f1(*([cell for row in rows for cell in _cells(row, key)] for rows in both))}


def _cells(row: Row, key: str) -> list[tuple[str, str, str]]:
    return [(row.get(key, ""), column, value) for column, value in row.items()]


def _f1(said: Sequence[Any], wanted: Sequence[Any]) -> float:
    if not said or not wanted:
        return float(not said and not wanted)
    common = sum((Counter(said) & Counter(wanted)).values())
    return f1(common / len(said), common / len(wanted))


def _tables(case: Case) -> tuple[list[Row], list[Row]] | Undefined:
    """The table of the answer and the one wanted."""
    given = case.item.metadata.get("table")
    if given is None:
        return Undefined("the row has no table")
    wanted = rows_of(given)
    if wanted is None:
        return Undefined("the row's table is none: give Markdown, CSV, a list of lists or a list of objects")
    said = rows_of(case.answer) or []
    return _folded(said, case.folding), _folded(wanted, case.folding)


def rows_of(given: Any) -> list[dict[str, Any]] | None:
    """Rows by column: of Markdown or CSV with a head, JSON, a list of lists with a head, or a list of objects."""
    if isinstance(given, str):
        return _from_text(given)
    if not isinstance(given, list) or not given:
        return None
    if all(isinstance(row, Mapping) for row in given):
        return [dict(row) for row in given]
    if all(isinstance(row, list) for row in given):
        head, *rows = given
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
    """A cell as it is compared: numbers by value, words by their tokens."""
    text = "" if value is None else str(value).strip()
    plain = tokens(text, folding)
    numbers = number_values(text)
    if len(plain) == 1 and len(numbers) == 1:
        return format(next(iter(numbers)).normalize(), "f")
    return " ".join(plain)
