"""Tool calls, SQL queries and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.sql import equivalent, query_in
from synth.evaluation.measuring.tables import Row, multiset_f1, tables
from synth.evaluation.measuring.tool_calls import canonical, equal_arguments, expected
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ToolCallAccuracy(Metric):
    """Share of arguments that are right, over the calls in order; 0 for a call of another tool."""

    name = "tool_call_accuracy"
    needs = "tool_calls"

    def measure(self, case: Case) -> Mapping[str, Value]:
        expected_calls = expected(case)
        if isinstance(expected_calls, Undefined):
            return {self.name: expected_calls}
        calls = case.response.tool_calls or ()
        if not expected_calls:
            return {self.name: float(not calls)}
        right = sum(
            equal_arguments(call, expected_call) for call, expected_call in zip(calls, expected_calls, strict=False)
        )
        return {self.name: right / max(len(calls), len(expected_calls))}


@dataclass(frozen=True)
class ToolCallF1(Metric):
    """F1 of the calls that are right in name and all arguments, in any order."""

    name = "tool_call_f1"
    needs = "tool_calls"

    def measure(self, case: Case) -> Mapping[str, Value]:
        expected_calls = expected(case)
        if isinstance(expected_calls, Undefined):
            return {self.name: expected_calls}
        calls = case.response.tool_calls or ()
        actual, required = ([canonical(call) for call in group] for group in (calls, expected_calls))
        return {self.name: f1(*overlap(actual, required))}


@dataclass(frozen=True)
class SqlEquivalence(Metric):
    """1 when the answer returns the rows of the row's `sql` on `--database`; without one, when they parse alike.

    `database` is a SQLite file, read only; `dialect` is the one sqlglot reads. Rows count in order only where
    the row's query orders them. A query has `seconds` to run; one that takes too much memory or processor time, or is
    longer than a query is, leaves its row without a value.
    """

    name = "sql_equivalence"
    needs = "answer"
    database: str = ""
    dialect: str = "sqlite"
    seconds: float = 10.0

    def measure(self, case: Case) -> Mapping[str, Value]:
        golden = case.item.metadata.get("sql")
        if not isinstance(golden, str) or not golden.strip():
            return {self.name: Undefined("the row has no sql")}
        same = equivalent(query_in(case.answer), golden, self.database, self.dialect, self.seconds)
        return {self.name: Undefined(same) if isinstance(same, str) else same}


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
