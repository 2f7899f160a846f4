"""Equivalence of SQL queries: by the rows they return where there is a database, else by their form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.sql import form, is_ordered, query_in, run
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class SqlEquivalence(Metric):
    """1 when the answer returns the rows of the row's `sql` on `--database`; without one, when they parse alike.

    `database` is a SQLite file, read only; `dialect` is the one sqlglot reads. Rows count in order only where
    the row's query orders them. A query has `seconds` to run.
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
        answer = query_in(case.answer)
        if not self.database:
            return {self.name: self._by_form(answer, golden)}
        return {self.name: self._by_execution(answer, golden)}

    def _by_execution(self, answer: str, golden: str) -> Value:
        expected = run(golden, self.database, self.seconds)
        if isinstance(expected, str):
            return Undefined(f"the row's sql does not run: {expected}")
        actual = run(answer, self.database, self.seconds)
        if isinstance(actual, str):
            return 0.0
        if is_ordered(golden, self.dialect):
            return float(actual == expected)
        return float(Counter(actual) == Counter(expected))

    def _by_form(self, answer: str, golden: str) -> Value:
        expected = form(golden, self.dialect)
        if expected is None:
            return Undefined("the row's sql cannot be parsed")
        return float(form(answer, self.dialect) == expected)
