"""Whether two SQL queries ask the same: by what they return where there is a database, else by their form."""

from __future__ import annotations

import re
import sqlite3
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from synth.evaluation.metrics.base import Case, Metric, Undefined, Value

_FENCE = re.compile(r"```(?:sql|sqlite)?\s*\n?(.*?)```", re.DOTALL | re.IGNORECASE)
_READS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE))
_MOST_ROWS = 100_000


@dataclass(frozen=True)
class SqlEquivalence(Metric):
    """1 when the answer returns what the row's `sql` does on the database, or without one has the same form.

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
        wanted = run(golden, self.database, self.seconds)
        if isinstance(wanted, str):
            return Undefined(f"the row's sql does not run: {wanted}")
        found = run(answer, self.database, self.seconds)
        if isinstance(found, str):
            return 0.0
        if _is_ordered(golden, self.dialect):
            return float(found == wanted)
        return float(Counter(found) == Counter(wanted))

    def _by_form(self, answer: str, golden: str) -> Value:
        wanted = form(golden, self.dialect)
        if wanted is None:
            return Undefined("the row's sql cannot be parsed")
        return float(form(answer, self.dialect) == wanted)


def query_in(answer: str) -> str:
    """The query of an answer: what stands in its code fence, else all of it."""
    fenced = _FENCE.search(answer)
    return (fenced[1] if fenced else answer).strip().rstrip(";").strip()


def run(query: str, database: str, seconds: float) -> tuple[tuple[Any, ...], ...] | str:
    """The rows that a query returns, or why it returns none; only reading is allowed."""
    if not query:
        return "there is no query"
    try:
        connection = sqlite3.connect(f"{Path(database).resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        return str(error)
    try:
        connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READS else sqlite3.SQLITE_DENY)
        until = time.monotonic() + seconds
        connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
        rows = connection.execute(query).fetchmany(_MOST_ROWS)
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error)
    finally:
        connection.close()
    return tuple(tuple(map(_value, row)) for row in rows)


def _value(value: Any) -> Any:
    """A cell as it is compared: 1 and 1.0 are equal anyway, and so are numbers that differ in the tenth digit."""
    return round(value, 9) if isinstance(value, float) else value


@lru_cache(maxsize=2048)
def _is_ordered(query: str, dialect: str) -> bool:
    parsed = _parsed(query, dialect)
    return parsed is not None and parsed.args.get("order") is not None


@lru_cache(maxsize=2048)
def form(query: str, dialect: str) -> str | None:
    """A query in one way of writing it, or None when it is no SQL.

    Case, quotes, aliases of tables, the order of what AND joins and sides of a comparison do not matter.
    """
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.normalize_identifiers import normalize_identifiers
    from sqlglot.optimizer.qualify_tables import qualify_tables
    from sqlglot.optimizer.simplify import simplify

    parsed = _parsed(query, dialect)
    if parsed is None:
        return None
    try:
        parsed = simplify(normalize_identifiers(parsed.copy(), dialect=dialect))
        parsed = _with_one_alias(qualify_tables(parsed))
        parsed = _sorted(simplify(parsed))
    except (SqlglotError, ValueError, KeyError, RecursionError):
        pass
    return str(parsed.sql(dialect=dialect, comments=False, identify=False))


def _parsed(query: str, dialect: str) -> Any:
    from sqlglot import parse
    from sqlglot.errors import SqlglotError

    try:
        found = parse(query, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None
    return found[0] if len(found) == 1 else None


def _with_one_alias(query: Any) -> Any:
    """Tables named t0, t1, … in the order in which they are named; columns follow."""
    from sqlglot import exp

    tables = list(query.find_all(exp.Table, bfs=False))
    names = {table.alias_or_name: f"t{i}" for i, table in enumerate(tables)}
    for table in tables:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(names[table.alias_or_name])))
    for column in query.find_all(exp.Column):
        if column.table in names:
            column.set("table", None if len(tables) == 1 else exp.to_identifier(names[column.table]))
    return query


def _sorted(query: Any) -> Any:
    """Operands of AND, OR and = in the order of the alphabet."""
    from sqlglot import exp

    def order(node: Any) -> Any:
        if isinstance(node, exp.EQ | exp.Add | exp.Mul) and node.left.sql() > node.right.sql():
            return type(node)(this=node.right.copy(), expression=node.left.copy())
        if isinstance(node, exp.And | exp.Or):
            parts = sorted((part.copy() for part in node.flatten()), key=lambda part: part.sql())
            made = parts[0]
            for part in parts[1:]:
                made = type(node)(this=made, expression=part)
            return made
        return node

    return query.transform(order)
