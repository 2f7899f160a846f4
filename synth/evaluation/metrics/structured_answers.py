"""Metrics of tool calls, SQL queries and tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.core.errors import RecordError
from synth.core.records import ToolCall
from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.sql import equivalent, query_in
from synth.evaluation.measuring.tables import Row, multiset_f1, tables
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.evaluation.responses.passages import tool_calls


def expected(case: Case) -> tuple[ToolCall, ...] | Undefined:
    """Return the calls in the row's `tool_calls`; Undefined if there are none or they are invalid."""
    calls = case.item.metadata.get("tool_calls")
    if calls is None:
        return Undefined("the row has no tool_calls")
    try:
        return tool_calls(calls, "metadata.tool_calls", case.item.id)
    except RecordError as error:
        return Undefined(str(error))


def equal_arguments(call: ToolCall, expected_call: ToolCall) -> float:
    """Return the share of equal arguments among all arguments of both calls; 0 for different tools."""
    if call.name != expected_call.name:
        return 0.0
    if not isinstance(call.arguments, Mapping) or not isinstance(expected_call.arguments, Mapping):
        return float(_json(call.arguments) == _json(expected_call.arguments))
    names = {*call.arguments, *expected_call.arguments}
    missing = object()
    equal = sum(
        _json(call.arguments.get(name, missing)) == _json(expected_call.arguments.get(name, missing)) for name in names
    )
    return equal / len(names) if names else 1.0


def canonical(call: ToolCall) -> str:
    """Return a call as text, equal for equal calls."""
    return _json([call.name, call.arguments])


def _json(value: Any) -> str:
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=repr)


def _plain(value: Any) -> Any:
    """Return JSON values in which 1 equals 1.0 but not true."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True)
class ToolCallAccuracy(Metric):
    """Share of correct arguments over the calls in order; a call of another tool counts 0."""

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
    """F1 of the calls with correct name and arguments, in any order."""

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
    """1 if the answer and the row's `sql` give the same rows on `--database`; without one, if both parse alike.

    `database` is an SQLite file, opened read-only. `dialect` is a dialect of sqlglot. The order of rows counts only if
    the row's query sorts them.

    A query may run for `seconds`. The row has no value if a query is too long or takes too much memory or processor
    time.
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
    """F1 of the cells of the answer's table; a cell is identified by its column and the first cell of its row."""

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
    """F1 of the rows of the answer's table that equal rows of the row's `table` in every cell."""

    name = "table_row_f1"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        both = tables(case)
        if isinstance(both, Undefined):
            return {self.name: both}
        actual, expected = ([tuple(sorted(row.items())) for row in rows] for rows in both)
        return {self.name: multiset_f1(actual, expected)}
