"""The prose of the pages is plain: short sentences, no parenthesis in another, no phrase that has to be read twice."""

import runpy
import tomllib
from pathlib import Path
from re import IGNORECASE, compile

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "check_prose.py"))
LISTED = tomllib.loads((ROOT / "scripts" / "prose_phrases.toml").read_text(encoding="utf-8"))["avoid"]
PHRASES = [compile(phrase, IGNORECASE) for phrase in LISTED]
LONG = "The keeper counts the lamps and writes " + "and writes " * 10 + "the number into his book."


@pytest.mark.parametrize("page", SCRIPT["pages"]([]), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_sentence_of_a_page_has_to_be_read_twice(page):
    found = SCRIPT["sentences"](page.read_text(encoding="utf-8"))
    wrong = {sentence: why for sentence in found if (why := list(SCRIPT["faults"](sentence, PHRASES)))}
    assert not wrong
    lengths = [len(sentence.split()) for sentence in found] or [0]
    assert sum(lengths) / len(lengths) <= SCRIPT["MOST_MEAN"]


@pytest.mark.parametrize(
    "sentence",
    [
        "A tag of such of the rows as are short is kept.",
        "The judge refused 7 candidates, of which readers would have accepted 2.",
        "A value that is none is left out.",
        "Rows are kept as they are had.",
        "The first limit gives way where rows would be missing.",
        "So many passages are read, and so many rows are made of them.",
        "It is a set of rows, and of these none comes of the others.",
        "A name stands in the place of a file.",
        "The set (its rows (and their evidence)) is written.",
        LONG,
    ],
)
def test_a_riddle_is_found(sentence):
    assert list(SCRIPT["faults"](sentence, PHRASES))


def test_code_tables_and_headings_are_no_sentences():
    page = "# A title of which\n\n| of which | x |\n\n```\nof which\n```\n\nUse `of which` in [a page](of-which.md)."
    assert SCRIPT["sentences"](page) == ["Use Code in a page."]
