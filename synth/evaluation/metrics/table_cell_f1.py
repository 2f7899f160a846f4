"""F1 of the cells of tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.tables import Row, multiset_f1, tables
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class TableCellF1(Metric):
    """F1 of the cells of the answer's table; a cell is known by its row's first cell and its column."""

    name = "table_cell_f1"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        both = tables(case)
        if isinstance(both, Undefined):
            return {self.name: both}
        key = next(iter(both[1][0]), "") if both[1] else ""
        actual, expected = ([cell for row in rows for cell in _cells(row, key)] for rows in both)
        return {self.name: multiset_f1(actual, expected)}


def _cells(row: Row, key: str) -> list[tuple[str, str, str]]:
    return [(row.get(key, ""), column, value) for column, value in row.items()]
