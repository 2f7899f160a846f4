"""Markdown of a passage as blocks of styled text: what is styled, what is left out, and that nothing else is."""

import time

import pytest

from synth.annotation.context import passages
from synth.annotation.markdown_view import TextRun, shown_blocks
from tests.annotation.rows import document, sample


def markdown(text, format="markdown"):
    return document("a.md", text, format=format)


def shown(text, quote, room=100_000, format="markdown"):
    of = markdown(text, format)
    (passage,) = passages(sample("q?", "a", quote, of), {of.doc_id: of}, room)
    return shown_blocks(passage, of)


def words(block):
    return ["".join(run.text for run in cell) for cell in block.cells]


@pytest.mark.parametrize(
    ("text", "kind", "cells"),
    [
        ("## Pump **room** ##", "heading", ["Pump room"]),
        ("Pump\n====", "heading", ["Pump"]),
        ("- a *pump*", "item", ["a pump"]),
        ("3) a pump", "item", ["a pump"]),
        ("> the\n> pump", "quote", ["the\npump"]),
        ("```sh\npump *x*\n```", "code", ["shpump *x*"]),
        ("<b onclick='x'>pump</b> <img src=x>", "paragraph", ["pump <img src=x>"]),
        ("<div>pump &amp; yard</div>", "paragraph", ["pump & yard"]),
        ("<div><img src=x>pump</div>", "code", ["<div><img src=x>pump</div>"]),
        ("<table><tr><th>pump<td><td>a<br>b</table>", "row", ["pump", "", "a b"]),
        ("| pump | |\n|---|---|\n| 1 | 2 |", "row", [" pump ", " "]),
        (
            "the [pump](https://x.example/a) and ![its picture](https://x.example/i.png)",
            "paragraph",
            ["the pump and its picture"],
        ),
        ("a snake_case_pump 2 * 3 * 4 \\* 5 ** 6", "paragraph", ["a snake_case_pump 2 * 3 * 4 * 5 ** 6"]),
        ("a pump <!-- a comment -->", "paragraph", ["a pump <!-- a comment -->"]),
    ],
)
def test_marks_are_left_out_and_nothing_else(text, kind, cells):
    first = shown(text, "ump")[0]
    assert (first.kind, words(first)) == (kind, cells)


def test_styles_evidence_and_addresses_go_with_the_characters():
    (block,) = shown("See **the `pump`** in [the *yard*](https://x.example/), now.", "the `pump`** in [the")
    assert block.cells == (
        (
            TextRun("See ", False),
            TextRun("the ", True, ("strong",)),
            TextRun("pump", True, ("strong", "code")),
            TextRun(" in ", True),
            TextRun("the", True, ("link",), "https://x.example/"),
            TextRun(" ", False, ("link",), "https://x.example/"),
            TextRun("yard", False, ("link", "em"), "https://x.example/"),
            TextRun(", now.", False),
        ),
    )


def test_a_window_begins_and_ends_within_blocks_and_loses_no_word():
    text = "# Yard\n\n" + "\n\n".join(f"Word{n} of the **yard**.\n\n- item{n}" for n in range(40)) + "\n\nThe pump."
    for room in (10, 77, 300):
        of = markdown(text)
        (passage,) = passages(sample("q?", "a", "Word20", of), {of.doc_id: of}, room)
        letters = "".join(run.text for block in shown_blocks(passage, of) for cell in block.cells for run in cell)
        written = text[passage.start : passage.end]
        assert [c for c in letters if c.isalnum()] == [c for c in written if c.isalnum()]


def test_a_table_of_html_is_rows_with_its_evidence_and_links():
    text = (
        "<table>\n<thead><tr><th>Part</th><th>Place</th></tr></thead>\n"
        "<tr><td>pump</td><td>the <a href='https://x.example/'>cellar</a></td></tr>\n</table>"
    )
    head, row = shown(text, "<td>pump</td><td>the <a")
    assert (head.kind, words(head), head.group) == ("row", ["Part", "Place"], row.group)
    link = TextRun("cellar", False, ("link",), "https://x.example/")
    assert row.cells == ((TextRun("pump", True),), (TextRun("the ", True), link))


@pytest.mark.parametrize(
    "span",
    [
        "[the long link of the yard](https://x.example/a/b)",
        "`a long piece of code in it`",
        "<td colspan='2'>",
        "counterrevolutionary",
    ],
)
def test_a_window_cuts_no_link_code_tag_or_word(span):
    text = f"{'word ' * 30}{span} {'word ' * 9}The pump. {'word ' * 9}{span}{' word' * 30}"
    of = markdown(text)
    for room in range(40, 110):
        (passage,) = passages(sample("q?", "a", "The pump.", of), {of.doc_id: of}, room)
        window = text[passage.start : passage.end]
        first, last = window.find("The pump."), len(window)
        for part in (window[:first], window[first:last]):
            assert span in part or not any(piece in part for piece in (span[:4], span[-4:]))
        assert {*window.split()} <= {*text.split()}


def test_no_markdown_is_shown_as_it_is_written():
    (block,) = shown("# The *pump*", "pump", format="text")
    assert (block.kind, words(block)) == ("text", ["# The *pump*"])


@pytest.mark.parametrize(
    "unit", ["*a", "**a ", "[a", "`a", "_a ", "![a](", "\\", "[[", "](", "a*b*", "| a", "~~~\n", "<b ", "<td>", "<!--"]
)
def test_hostile_marks_take_linear_time(unit):
    def seconds(size):
        of = markdown("The pump. " + unit * (size // len(unit)))
        (passage,) = passages(sample("q?", "a", "The pump.", of), {of.doc_id: of}, size)
        begun = time.process_time()
        shown_blocks(passage, of)
        return time.process_time() - begun

    assert seconds(200_000) < 5
