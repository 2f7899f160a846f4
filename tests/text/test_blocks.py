"""The one model of a document: what each form of the dialect is read as."""

from __future__ import annotations

import pytest

from synth.corpus.documents import markdown
from synth.corpus.documents.grid import placed, resolved
from synth.text.blocks import Block, blocks, tables
from synth.text.markup import plain
from synth.text.prose import sentences

DOCUMENT = markdown.join(
    [
        markdown.page("4"),
        markdown.heading(2, "2.1.2 计算方法"),
        markdown.paragraph("To do this:"),
        markdown.item("open", 0, 1),
        markdown.item("Rate: 5", 1),
        markdown.indented("Further words."),
        markdown.item("close", 0, 2),
        markdown.caption("Fees in euros"),
        markdown.table([["Name", "Weight (kg)"], ["a | b", "3"]]).replace("| a", "| **a**"),
        "> Quoted words.",
        "$$\nx^2\n$$",
        markdown.figure("A map of the port."),
        "[^1]: A note.",
        markdown.paragraph("Plain words."),
    ]
)


def _shown(block: Block) -> tuple[str, str, int, str, str]:
    words = plain(DOCUMENT, block.start, block.end).text
    return block.kind, words, block.level, block.number, block.role


def test_every_form() -> None:
    assert [_shown(block) for block in blocks(DOCUMENT, "markdown")] == [
        ("page", "", 0, "4", ""),
        ("heading", "2.1.2 计算方法", 2, "2.1.2", ""),
        ("paragraph", "To do this:", 0, "", "lead_in"),
        ("list_item", "open", 1, "1", ""),
        ("list_item", "Rate: 5", 2, "", "key_value"),
        ("list_item", "Further words.", 1, "1", "continuation"),
        ("list_item", "close", 1, "2", ""),
        ("paragraph", "Fees in euros", 0, "", "caption"),
        ("table_row", "| Name | Weight (kg) |", 0, "", ""),
        ("table_row", "| a | b | 3 |", 0, "", ""),
        ("paragraph", "Quoted words.", 0, "", "quotation"),
        ("formula", "x²", 0, "", ""),
        ("paragraph", "A map of the port.", 0, "", "figure"),
        ("paragraph", "A note.", 0, "", "footnote"),
        ("paragraph", "Plain words.", 0, "", ""),
    ]


def test_an_item_knows_the_item_it_stands_in() -> None:
    outer, inner, *_ = (block for block in blocks(DOCUMENT, "markdown") if block.kind == "list_item")
    assert (outer.parent, inner.parent) == (-1, outer.start)


def test_a_table_has_cells_with_places() -> None:
    (table,) = tables(DOCUMENT, "markdown")
    assert [[cell.text for cell in row] for row in table.rows] == [["Name", "Weight (kg)"], ["a | b", "3"]]
    assert [DOCUMENT[cell.start : cell.end].strip() for cell in table.rows[1]] == ["**a** \\| b", "3"]
    assert (table.header_rows, table.header_columns, table.units) == (1, 1, ("", "kg"))
    assert table.caption is not None
    assert DOCUMENT[table.caption.start : table.caption.end] == "Fees in euros"


def test_spans_are_filled() -> None:
    rows = [[("a", 1, 3), ("b", 2, 1)], [("c", 1, 1), ("d", 1, 2)], [("e", 1, 1)], [("f", 1, 1)]]
    assert [{column: cell.text for column, cell in row.items()} for row in placed(rows)] == [
        {0: "a", 1: "b", 2: "b"},
        {0: "a", 1: "c", 2: "d"},
        {0: "a", 1: "e", 2: "d"},
        {0: "f"},
    ]
    heads = [[("", 1, 1), ("2024", 2, 1)], [("Item", 1, 1), ("Q1", 1, 1), ("Q2", 1, 1)]]
    assert list(resolved(list(placed(heads)), 2)) == [["Item", "2024: Q1", "2024: Q2"]]


def test_marks_that_close_a_heading_are_no_part_of_it() -> None:
    text = "Kell\n====\n\n### Lamp ###\n\n## C#\n\nKeepers\n---\n\nThey rest.\n"
    parts = blocks(text, "markdown")
    assert [text[block.start : block.end] for block in parts] == [
        "Kell", "### Lamp", "## C#", "Keepers", "They rest.",
    ]  # fmt: skip
    assert parts[-1].headings == ("Kell", "Keepers")


def test_addresses_of_links_are_no_paragraph() -> None:
    text = '[#]: collector: (ann)\n[1]: https://kell.org "Kell"\n\n[Note]: the lamp is old.\n\n[^1]: A note.\n'
    assert [block.kind for block in blocks(text, "markdown")] == ["directive", "paragraph", "paragraph"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<del>\n\nOld words.\n\n- an item\n\n</del>",
        "<div hidden>\n\nOld words.\n\n<div>inner</div>\n\nMore.\n\n</div>",
        '<p style="display: none">Old words.</p>',
        "<p hidden>Old words.",
    ],
)
def test_hidden_html_is_no_text(hidden: str) -> None:
    text = f"New words.\n\n{hidden}\n\nLast words.\n"
    found = blocks(text, "markdown")
    assert {block.kind for block in found[1:-1]} == {"directive"}
    assert [sentence.text for sentence in sentences(text, "markdown")] == ["New words.", "Last words."]
