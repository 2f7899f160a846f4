"""Typed reading of fields, and checks of settings: each error says place, field, what is wanted and what was there."""

import math

import pytest

from synth.core.checks import check_known, check_least, check_range, check_share
from synth.core.errors import ConfigError, RecordError
from synth.core.fields import Fields, read_toml

ROW = Fields(
    {"name": "a", "n": 3, "yes": True, "rows": [{"at": -1}], "inner": {"more": 2}, "nan": math.nan}, "x.jsonl:4"
)


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda: ROW.text("n"), "field 'n' must be a text that is not empty, was 3"),
        (lambda: ROW.text("none"), "field 'none' must be a text that is not empty, was None"),
        (lambda: ROW.whole("yes"), "field 'yes' must be a whole number of at least 0, was True"),
        (
            lambda: ROW.inners("rows")[0].whole("at"),
            r"field 'rows\[0\].at' must be a whole number of at least 0, was -1",
        ),
        (lambda: ROW.inner("inner").share("more"), "field 'inner.more' must be a number from 0 to 1, was 2"),
        (lambda: ROW.share("nan"), "field 'nan' must be a number from 0 to 1, was nan"),
        (lambda: ROW.share("yes"), "field 'yes' must be a number from 0 to 1, was True"),
        (lambda: ROW.number("nan"), "field 'nan' must be a number of at least 0, was nan"),
        (lambda: ROW.inner("name"), "field 'name' must be an object, was 'a'"),
        (lambda: ROW.texts("rows"), "field 'rows' must be a list of texts that are not empty"),
        (lambda: ROW.items("name"), "field 'name' must be a list, was 'a'"),
        (lambda: ROW.choice("name", ("b", "c")), "field 'name' must be one of b, c, was 'a'"),
        (lambda: ROW.value("yes", int), "field 'yes' must be a whole number, was True"),
        (lambda: ROW.value("n", bool), "field 'n' must be true or false, was 3"),
        (lambda: ROW.only(("name", "n", "yes", "rows", "inner")), "unknown 'nan'; known: name, n"),
        (lambda: Fields([1] * 100, "x.jsonl:4"), r"x.jsonl:4 must be an object, was \[1, 1.*\.\.\.$"),
    ],
)
def test_a_wrong_field_is_named(read, said):
    with pytest.raises(RecordError, match=said) as raised:
        read()
    assert str(raised.value).startswith("x.jsonl:4")


def test_what_is_right_is_read():
    assert (ROW.text("name"), ROW.whole("n"), ROW.value("n", float), ROW.label("yes")) == ("a", 3, 3.0, 1.0)
    assert (ROW.choice("name", ("a",)), ROW.choice("none", ("a",))) == ("a", "")
    assert ROW.inner("none").values == {}


def test_a_toml_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbfn = 3\n")
    assert read_toml(path, "settings").whole("n") == 3
    for content in (b"n = ", b"\xff"):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match=r"a\.toml"):
            read_toml(path, "settings")


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (lambda: check_least("k", 0, 1), "k must be at least 1, was 0"),
        (lambda: check_least("k", math.nan, 1), "k must be at least 1, was nan"),
        (lambda: check_range("p", 1.1), r"p must be from 0 to 1, was 1\.1"),
        (lambda: check_share("p", 0.0), r"p must be above 0 and at most 1, was 0\.0"),
        (lambda: check_known("order", "x", ("a", "b")), "order must be one of a, b, was 'x'"),
    ],
)
def test_a_wrong_setting_is_named(check, said):
    with pytest.raises(ConfigError, match=said):
        check()


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), True, "1"])
def test_what_no_float_can_hold_is_no_number(value):
    for read in (lambda row: row.value("a", float), lambda row: row.number("a"), lambda row: row.share("a")):
        with pytest.raises(RecordError, match="field 'a' must be a number"):
            read(Fields({"a": value}, "set.jsonl:1"))


def test_an_offset_is_of_a_size_that_a_text_can_have():
    with pytest.raises(RecordError, match="field 'a' must be a whole number"):
        Fields({"a": 10**400}, "set.jsonl:1").whole("a")
