"""Patterns of users and sets: none runs for ever, and one that is none is said to be."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.annotation.formats.importing import _with_lost_characters
from synth.core.errors import ConfigError
from synth.core.patterns import MOST_CHARACTERS, compiled, is_found, is_whole
from synth.corpus.documents.globs import matches
from tests.metrics.cases import case, item, scores

CATASTROPHIC = ("^(a+)+$", "^(a|aa)+$", "^(.*a){20}$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$")


@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_a_pattern_that_would_backtrack_for_ever_ends(pattern):
    assert not is_found(pattern, "a" * 100_000 + "!")
    row = item("x", answer_pattern=pattern)
    assert scores("pattern_match", case(row, "a" * 100_000 + "!"))["pattern_match"].value == 0.0


@pytest.mark.parametrize("pattern", ["(", r"(a)\1", "(?=a)", "(a{1000}){1000}", "a" * (MOST_CHARACTERS + 1), "\ud800("])
def test_what_is_no_pattern_is_said_to_be_none(pattern):
    with pytest.raises(ValueError, match=r"\w"):
        compiled(pattern)
    given = scores("pattern_match", case(item("x", answer_pattern=[pattern]), "x"))["pattern_match"]
    assert "not a valid RE2 expression" in given.reason


def test_halves_of_surrogate_pairs_are_text_too():
    assert is_found("a", "\ud800a")
    assert is_whole("\ud800+", "\ud800\ud800")


@given(st.text("ab1 ?*灯.", max_size=12), st.text("ab1 灯\n", max_size=12))
def test_it_is_found_where_python_finds_it(pattern, text):
    try:
        wanted = re.search(pattern, text, re.ASCII) is not None
        assert is_found(pattern, text) == wanted
    except (re.error, ValueError):
        pass


def test_a_name_of_many_stars_is_matched():
    assert not matches("-" * 250, ["*-*-*-*-*-*-*-*-*-*-*x"])
    assert not matches("a/" * 100 + "b", ["**/a/**/a/**/a/**/a/**/a/**/c"])
    assert matches("a\nb/c.md", ["a*/**/*.md"])


def test_a_range_of_no_characters_is_refused():
    with pytest.raises(ConfigError, match=r"'\[z-a\]\.md' is not a valid file name pattern"):
        matches("a.md", ["[z-a].md"])


@given(
    st.text("灯塔a?", max_size=8),
    st.lists(st.sampled_from(("", "?", "??", "x")), min_size=8, max_size=8),
)
def test_lost_characters_are_recognised(original, marks):
    given = "".join(char if char.isascii() or mark == "" else mark for char, mark in zip(original, marks, strict=False))
    pattern = "".join(re.escape(one) if one.isascii() else rf"(?:{one}|\?\??)" for one in original)
    wanted = "?" in given and not original.isascii() and re.fullmatch(pattern, given) is not None
    assert _with_lost_characters(given, original) == wanted


def test_a_cell_of_question_marks_ends():
    assert not _with_lost_characters("?" * 20_000 + "x", "灯" * 12_000)
