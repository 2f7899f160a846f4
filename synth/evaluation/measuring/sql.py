"""SQL queries: extracted from answers, and compared by their results on an SQLite file or by their syntax."""

from __future__ import annotations

import atexit
import os
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache, reduce
from pathlib import Path
from threading import Lock
from typing import Any

from synth.core.restricted_process import Crashed, Limits, Overrun, RestrictedProcess

_FENCE = re.compile(r"```(?:sqlite|sql)?\s*+(.*?)```", re.DOTALL | re.IGNORECASE)
_READS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE))
_MAX_ROWS = 100_000
_LONGEST_QUERY = 20_000
_LONGEST_CELL = 1_000_000
_DEEPEST = 100
"""Maximum levels of nesting in a query. Each operand in a chain of AND, OR or + adds a level.

The time of a comparison grows with the square of the levels.
"""
_LIMITS = Limits(seconds=30, memory=500_000_000, output=100_000)
_LOCK = Lock()


def query_in(answer: str) -> str:
    """Return the query in an answer: the text of its code block, or the whole answer."""
    fenced = _FENCE.search(answer)
    return (fenced[1] if fenced else answer).strip().rstrip(";").strip()


def equivalent(answer: str, golden: str, database: str, dialect: str, seconds: float) -> float | str:
    """Return 1 if two queries are equivalent, 0 if not, or the reason why this is unknown.

    With a database, they must return the same rows; without one, they must parse alike. Queries run in a restricted
    subprocess, with 30 s of processor time and 500 MB of memory for both. A query may take `seconds` and have at most
    20,000 characters and 100 levels of nesting.
    """
    with _LOCK:
        try:
            (value,) = _process(os.getpid()).results(
                f"{__name__}:compared",
                answer=answer,
                golden=golden,
                database=database,
                dialect=dialect,
                seconds=seconds,
            )
        except (Overrun, Crashed) as error:
            return f"the queries cannot be compared: {error}"
    return str(value) if isinstance(value, str) else float(value)


@cache
def _process(_: int) -> RestrictedProcess:
    """Return the subprocess for all queries of the process with this id; it ends with that process."""
    process = RestrictedProcess(_LIMITS)
    atexit.register(process.close)
    return process


def compared(_: bytes, answer: str, golden: str, database: str, dialect: str, seconds: float) -> Iterator[float | str]:
    """Yield the result of `equivalent`, which calls this function in the subprocess."""
    for name, query in (("row's sql", golden), ("answer", answer)):
        if len(query) > _LONGEST_QUERY:
            yield f"the {name} has {len(query):,} characters, but a query may have at most {_LONGEST_QUERY:,}"
            return
    yield _by_rows(answer, golden, database, dialect, seconds) if database else _by_form(answer, golden, dialect)


def _by_rows(answer: str, golden: str, database: str, dialect: str, seconds: float) -> float | str:
    expected = run(golden, database, seconds)
    if isinstance(expected, str):
        return f"the row's sql fails: {expected}"
    actual = run(answer, database, seconds)
    if isinstance(actual, str):
        return 0.0
    if is_ordered(golden, dialect):
        return float(actual == expected)
    return float(Counter(actual) == Counter(expected))


def _by_form(answer: str, golden: str, dialect: str) -> float | str:
    for name, query in (("row's sql", golden), ("answer", answer)):
        if (levels := _levels(_parsed(query, dialect))) > _DEEPEST:
            return f"the {name} nests {levels:,} levels of operators, but a query may nest at most {_DEEPEST}"
    expected = form(golden, dialect)
    if expected is None:
        return "the row's sql cannot be parsed"
    return float(form(answer, dialect) == expected)


def run(query: str, database: str, seconds: float) -> tuple[tuple[Any, ...], ...] | str:
    """Return the rows of a query, or the reason why it fails. Only reading is allowed."""
    if not query:
        return "there is no query"
    try:
        connection = sqlite3.connect(f"{Path(database).resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        return str(error)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_CELL)
        connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, _DEEPEST)
        connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READS else sqlite3.SQLITE_DENY)
        until = time.monotonic() + seconds
        connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
        rows = connection.execute(query).fetchmany(_MAX_ROWS)
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error)
    finally:
        connection.close()
    return tuple(tuple(map(_value, row)) for row in rows)


def _value(value: Any) -> Any:
    """Return a cell as it is compared: numbers are rounded to nine decimal places."""
    return round(value, 9) if isinstance(value, float) else value


@lru_cache(maxsize=2048)
def is_ordered(query: str, dialect: str) -> bool:
    """Return whether a query sorts its rows."""
    parsed = _parsed(query, dialect)
    return parsed is not None and parsed.args.get("order") is not None


@lru_cache(maxsize=2048)
def form(query: str, dialect: str) -> str | None:
    """Return a query in canonical form; None if it is not SQL.

    Case, quotes, table aliases, the order of operands of AND and OR, and the sides of = do not matter.
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


@lru_cache(maxsize=64)
def _parsed(query: str, dialect: str) -> Any:
    """Return the syntax tree of a query, or None unless it is one SQL statement. Callers must not change the tree."""
    from sqlglot import parse
    from sqlglot.errors import SqlglotError

    try:
        statements = parse(query, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None
    return statements[0] if len(statements) == 1 else None


def _levels(query: Any) -> int:
    """Return the number of levels of a syntax tree, 0 for None."""
    from sqlglot.expressions import Expression

    levels, level = 0, [query] if query else []
    while level:
        levels += 1
        level = [node for parent in level for node in parent.iter_expressions() if isinstance(node, Expression)]
    return levels


def _with_one_alias(query: Any) -> Any:
    """Rename the tables of a query to t0, t1, … in order of occurrence, and adapt its columns."""
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
    """Sort the operands of AND, OR, =, + and * alphabetically."""
    from sqlglot import exp

    def order(node: Any) -> Any:
        if isinstance(node, exp.EQ | exp.Add | exp.Mul) and node.left.sql() > node.right.sql():
            return type(node)(this=node.right.copy(), expression=node.left.copy())
        # A chain is sorted once, at its top.
        if isinstance(node, exp.And | exp.Or) and not isinstance(node.parent, type(node)):
            parts = sorted((part.copy() for part in node.flatten()), key=lambda part: part.sql())
            return reduce(lambda left, right: type(node)(this=left, expression=right), parts)
        return node

    return query.transform(order)
