"""F1 of the rows of tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.tables import multiset_f1, tables
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class TableRowF1(Metric):
    """F1 of the rows of the answer's table that equal, in every cell, rows of the row's `table`."""

    name = "table_row_f1"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        both = tables(case)
        if isinstance(both, Undefined):
            return {self.name: both}
        actual, expected = ([tuple(sorted(row.items())) for row in rows] for rows in both)
        return {self.name: multiset_f1(actual, expected)}
