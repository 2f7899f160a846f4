"""Equivalence of SQL queries: by the rows they return where there is a database, else by their form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.sql import equivalent, query_in
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


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
