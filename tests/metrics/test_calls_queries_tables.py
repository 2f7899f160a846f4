"""Tool calls, SQL and tables."""

import sqlite3

import pytest

from synth.core.errors import ConfigError
from synth.evaluation.measuring.tables import rows_of
from synth.evaluation.responses.passages import tool_calls
from tests.metrics.cases import case, item, scores, value


def called(*calls):
    return tool_calls([dict(zip(("name", "arguments"), one, strict=True)) for one in calls], "tool_calls", "here")


def of_calls(metric, made, wanted):
    rows = [{"name": name, "arguments": arguments} for name, arguments in wanted]
    return value(metric, case(item(tool_calls=rows), calls=called(*made)))


A, B = ("find", {"tags": ["x", "y"], "n": 3}), ("read", {"id": 7})


@pytest.mark.parametrize(
    ("made", "wanted", "accuracy", "f1"),
    [
        ([A, B], [A, B], 1.0, 1.0),
        ([B, A], [A, B], 0.0, 1.0),
        ([A], [A, B], 0.5, 2 / 3),
        ([A, A, B], [A, B], 1 / 3, 0.8),
        ([("find", {"n": 3.0, "tags": ["x", "y"]})], [A], 1.0, 1.0),
        ([("find", {"n": 3, "tags": ["y", "x"]})], [A], 0.5, 0.0),
        ([("find", '{"n": 3, "tags": ["x", "y"]}')], [A], 1.0, 1.0),
        ([("find", {"n": True, "tags": ["x", "y"]})], [("find", {"n": 1, "tags": ["x", "y"]})], 0.5, 0.0),
        ([("read", {"id": 7, "more": 1})], [B], 0.5, 0.0),
        ([("run", [1, 2])], [("run", [1, 2])], 1.0, 1.0),
        ([], [A], 0.0, 0.0),
        ([], [], 1.0, 1.0),
        ([A], [], 0.0, 0.0),
    ],
)
def test_tool_calls(made, wanted, accuracy, f1):
    assert of_calls("tool_call_accuracy", made, wanted) == pytest.approx(accuracy)
    assert of_calls("tool_call_f1", made, wanted) == pytest.approx(f1)


def test_a_row_without_tool_calls_has_no_value_and_openai_s_shape_is_read():
    assert scores("tool_call_f1", case(item(), calls=()))["tool_call_f1"].reason == "the row has no tool_calls"
    (one,) = tool_calls([{"type": "function", "function": {"name": "f", "arguments": '{"a": [1]}'}}], "tool_calls", "")
    assert (one.name, one.arguments) == ("f", {"a": [1]})


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "dams.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "create table dam (name text, height real, country text);"
            "insert into dam values ('Hoover', 221.4, 'US'), ('三峡', 181, 'CN'), ('Grand Coulee', 168, 'US');"
        )
    return str(path)


HIGH = "select name from dam where height > 170"


@pytest.mark.parametrize(
    ("answer", "golden", "wanted"),
    [
        ("SELECT d.name FROM dam AS d WHERE NOT d.height <= 170", HIGH, 1.0),
        (HIGH + " order by name desc", HIGH, 1.0),
        (HIGH, HIGH + " order by height", 0.0),
        (HIGH + " order by height;", HIGH + " order by height", 1.0),
        ("select name from dam", HIGH, 0.0),
        ("select count(*) * 1.0 from dam", "select count(*) from dam", 1.0),
        ("select name, name from dam where height > 170", HIGH, 0.0),
        ("Here it is:\n```sql\n" + HIGH + "\n```", HIGH, 1.0),
        ("Here it is:\n```sqlite\n" + HIGH + "\n```", HIGH, 1.0),
        ("select nothing from nowhere", HIGH, 0.0),
        ("I do not know", HIGH, 0.0),
        ("drop table dam", HIGH, 0.0),
        ("attach 'other.sqlite' as o", HIGH, 0.0),
        ("", HIGH, 0.0),
    ],
)
def test_sql_by_execution(database, answer, golden, wanted):
    assert value("sql_equivalence", case(item(sql=golden), answer), database=database) == wanted
    with sqlite3.connect(database) as connection:
        assert connection.execute("select count(*) from dam").fetchone() == (3,)


@pytest.mark.parametrize(
    ("answer", "golden", "wanted"),
    [
        ("SELECT Name FROM Dam WHERE 170 < height", HIGH, 1.0),
        ("select d.name from dam as d where d.height > 170", HIGH, 1.0),
        ("select a from t where x = 1 and y = 2", "select a from t where y = 2 and 1 = x", 1.0),
        ("select a from t where x = 1 or y = 2", "select a from t where y = 2 and x = 1", 0.0),
        ("select name from dam where height > 171", HIGH, 0.0),
        ("select b.x from a join b on a.id = b.id", "select s.x from a as r join b as s on s.id = r.id", 1.0),
        ("not sql at all (", HIGH, 0.0),
    ],
)
def test_sql_by_form(answer, golden, wanted):
    assert value("sql_equivalence", case(item(sql=golden), answer)) == wanted


def test_what_cannot_be_judged_says_so(database):
    found = scores("sql_equivalence", case(item(sql="select x from nowhere"), HIGH), database=database)[
        "sql_equivalence"
    ]
    assert found.value is None
    assert "no such table" in found.reason
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    from synth.evaluation.measuring.sql import run

    assert run(endless, database, 0.05) == "interrupted"
    with pytest.raises(ConfigError, match="is not a file"):
        value("sql_equivalence", case(item(sql=HIGH), HIGH), database="missing.sqlite")


MANY = "with recursive n(i) as (select 1 union all select i + 1 from n) select {} from n"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (MANY.format("hex(zeroblob(490000))"), "it took more than 500 MB of memory"),
        ("select " + "1 + " * 10_000 + "1", "has 40,008 characters"),
    ],
)
def test_a_query_that_takes_too_much_leaves_its_row_without_a_value_and_the_next_one_is_run(database, answer, says):
    found = scores("sql_equivalence", case(item(sql=HIGH), answer), database=database)["sql_equivalence"]
    assert found.value is None
    assert says in found.reason
    assert value("sql_equivalence", case(item(sql=HIGH), HIGH), database=database) == 1.0


@pytest.mark.parametrize("answer", ["(" * 10_000, "select " + "(" * 5_000 + "1" + ")" * 5_000])
def test_a_query_that_is_nested_deeply_is_wrong(database, answer):
    assert value("sql_equivalence", case(item(sql=HIGH), answer)) in (0.0, None)
    assert value("sql_equivalence", case(item(sql=HIGH), answer), database=database) == 0.0


@pytest.mark.parametrize("operator", ["and", "or", "+", "||"])
@pytest.mark.parametrize("is_golden", [True, False])
def test_a_chain_of_a_thousand_operands_is_not_compared(operator, is_golden):
    chain = f"select a from t where {f' {operator} '.join(f'c{i}' for i in range(1000))}"
    texts = ("row's sql", chain, HIGH) if is_golden else ("answer", HIGH, chain)
    found = scores("sql_equivalence", case(item(sql=texts[1]), texts[2]))["sql_equivalence"]
    assert found.value is None
    assert f"the {texts[0]} nests 1,00" in found.reason
    assert "levels of operators, but a query may nest at most 100" in found.reason


WANTED = [["dam", "height"], ["Hoover", "221.4"], ["三峡", 181]]


@pytest.mark.parametrize(
    ("answer", "rows", "cells"),
    [
        ("| dam | height |\n|---|---|\n| Hoover | 221.4 |\n| 三峽 | 181 |", 1.0, 1.0),
        ("Here:\n\n| Height | Dam |\n|---:|:--|\n| １８１ | 三峡 |\n| 221.40 | hoover |\n", 1.0, 1.0),
        ("dam,height\nHoover,221.4\n", 2 / 3, 2 / 3),
        ("dam,height\nHoover,221.4\n三峡,180\n", 0.5, 0.75),
        ('[{"dam": "Hoover", "height": 221.4}, {"dam": "三峡", "height": 181.0}]', 1.0, 1.0),
        ("I do not know", 0.0, 0.0),
    ],
)
def test_tables(answer, rows, cells):
    row = item(table=WANTED)
    assert value("table_row_f1", case(row, answer)) == pytest.approx(rows)
    assert value("table_cell_f1", case(row, answer)) == pytest.approx(cells)


def test_what_is_no_table():
    assert rows_of("just words, and more words") is None
    assert rows_of(7) is None
    assert scores("table_row_f1", case(item(table=7), "x"))["table_row_f1"].value is None
