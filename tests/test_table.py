"""Tables line up, also where characters are wide, fit the terminal, and escape what a terminal would obey."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from synth.core.table import LEAST_WIDTH, table


@pytest.fixture(autouse=True, scope="module")
def eighty_columns():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        yield


def test_nothing_is_cut_where_there_is_no_terminal(monkeypatch):
    monkeypatch.delenv("COLUMNS")
    reason = "a long reason " * 30 + "with an end"
    assert table(["row", "reason"], [["q-1", reason]]).endswith("with an end")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert max(map(len, table(["row", "reason"], [["q-1", reason]]).splitlines())) == 80


def test_columns_line_up_under_wide_characters():
    lines = table(["file", "reason"], [["茶.md", "empty"], ["a.md", "binary"]]).splitlines()
    assert [
        cell_len(line[: line.index(word)])
        for line, word in zip([lines[0], *lines[2:]], ["reason", "empty", "binary"], strict=True)
    ] == [7, 7, 7]


def test_control_characters_are_shown_and_not_sent():
    assert "\x1b" not in table(["a"], [["\x1b[31mred\n"]])
    assert "\\x1b[31mred\\n" in table(["a"], [["\x1b[31mred\n"]])


def test_numbers_are_right_aligned_and_other_columns_left():
    rows = [["recall", 7, "0.5 to 1", "a"], ["f1", "1,250", "-", "bb"], ["x", "", "-0.25 to 0", "c 1"]]
    assert table(["metric", "n", "interval", "note"], rows).splitlines() == [
        "metric      n    interval  note",
        "------  -----  ----------  ----",
        "recall      7    0.5 to 1  a",
        "f1      1,250           -  bb",
        "x              -0.25 to 0  c 1",
    ]


@pytest.mark.parametrize("columns", [65, 80, 200])
def test_the_widest_cells_are_cut_and_never_a_name_or_a_number(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    name, number = "a-name-of-thirty-characters.md", "123,456,789"
    lines = table(["file", "bytes", "short", "long"], [[name, number, "ten chars.", "meaning " * 40]]).splitlines()
    assert cell_len(lines[1]) == columns
    assert lines[2].startswith(f"{name}  {number}  ")
    assert lines[2].endswith("…")
    assert ("ten chars." in lines[2]) == (columns > 65)


def test_without_room_names_stay_whole():
    name = "x" * 90
    assert table(["file", "reason"], [[name, "not read at all"]]).splitlines()[2] == f"{name}  not rea…"


@given(st.text(), st.text())
def test_no_table_is_wider_than_the_terminal_or_breaks_its_line(text, name):
    lines = table(["a", "b"], [[name, text]]).split("\n")
    assert len(lines) == 3
    first = cell_len(lines[1].split("  ")[0])
    assert cell_len(lines[2]) <= max(80, first + 2 + LEAST_WIDTH)
