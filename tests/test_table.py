"""Tables line up, also where characters are wide, and escape what a terminal would obey."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from synth.core.table import MAX_WIDTH, table


def test_columns_line_up_under_wide_characters():
    lines = table(["file", "reason"], [["茶.md", "empty"], ["a.md", "binary"]]).splitlines()
    assert [
        cell_len(line[: line.index(word)])
        for line, word in zip([lines[0], *lines[2:]], ["reason", "empty", "binary"], strict=True)
    ] == [7, 7, 7]


def test_control_characters_are_shown_and_not_sent():
    assert "\x1b" not in table(["a"], [["\x1b[31mred\n"]])
    assert "\\x1b[31mred\\n" in table(["a"], [["\x1b[31mred\n"]])


@given(st.text())
def test_no_cell_is_wider_than_the_limit_or_breaks_its_line(text):
    lines = table(["a", "b"], [[text, "x"]]).split("\n")
    assert len(lines) == 3
    assert cell_len(lines[2]) <= MAX_WIDTH + 3
