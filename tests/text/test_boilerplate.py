"""Boilerplate: each kind of it is known by its phrases and headings, and good text is not taken for it."""

import json
from pathlib import Path

import pytest

import synth.text
from synth.text.boilerplate import boilerplate_kind, boilerplate_sizes, holds_nothing, kind_of_file

FOLDER = Path(synth.text.__file__).parent
NO_PROSE = json.loads((FOLDER / "no_prose.json").read_text("utf-8"))["kinds"]
BOILERPLATE = json.loads((FOLDER / "boilerplate.json").read_text("utf-8"))["kinds"]


@pytest.mark.parametrize("kind", NO_PROSE)
def test_lines_that_hold_nothing_are_known(kind):
    assert [line for line in NO_PROSE[kind]["fits"] if not holds_nothing(line)] == []
    assert [line for line in NO_PROSE[kind]["plain"] if holds_nothing(line)] == []


@pytest.mark.parametrize("kind", BOILERPLATE)
def test_sentences_of_boilerplate_are_known(kind):
    known = BOILERPLATE[kind]
    assert [line for line in known["fits"] if boilerplate_kind(line) != kind] == []
    assert [line for line in known["plain"] if boilerplate_kind(line)] == []


@pytest.mark.parametrize("kind", BOILERPLATE)
def test_headings_of_boilerplate_are_known(kind):
    known = BOILERPLATE[kind]
    assert [heading for heading in known["named"] if boilerplate_kind("Ann Moor", ["Kell", heading]) != kind] == []
    assert [heading for heading in known["unnamed"] if boilerplate_kind("Ann Moor", ["Kell", heading])] == []


@pytest.mark.parametrize("kind", BOILERPLATE)
def test_files_of_boilerplate_are_known_by_their_names(kind):
    known = BOILERPLATE[kind]
    assert [name for name in known["filed"] if kind_of_file(name) != kind] == []
    assert [name for name in known["unfiled"] if kind_of_file(name)] == []


def test_a_text_is_counted_by_its_own_headings_and_without_its_code():
    text = "Ann Moor\n\n## The tower\n\nIt is white.\n\n```\nfix(#12)\n```\n\n## 3. Changelog\n\n- A new lamp\n"
    sizes = boilerplate_sizes(text, "markdown", ("Kell", "Contributors"))
    assert sizes == {"contributors": len("Ann Moor"), "": len("It is white."), "change log": len("A new lamp")}
