"""Block: a structural part of a text, such as a heading or a list item, with its offsets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """Structural part of a text, `text[start:end]`, under `headings` (outermost first).

    `kind` is heading, paragraph, list_item, table_row, code, formula, page (a page number), html, front_matter or
    directive. A directive is a command for a page generator or hidden text. Items of one list, and rows of one table,
    share a `group`. `level` is the level of a heading, or the depth of a list item from 1. `number` is the number of a
    heading, list item or page as written ("2.1.2", "第三章", "3"); it is "" for an unordered item. `parent` is the
    start offset of the enclosing list item, or -1.

    `role` is quotation, footnote, figure (the caption of a figure), caption (the title of the table below), lead_in (a
    text above a list that ends in a colon), continuation (a further paragraph of a list item), key_value ("Name:
    value", or a definition), element (HTML in Markdown) or "". Only the full sentences of an element count as prose.
    """

    kind: str
    start: int
    end: int
    headings: tuple[str, ...]
    level: int = 0
    group: int = 0
    number: str = ""
    role: str = ""
    parent: int = -1
