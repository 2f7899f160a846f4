"""A block: a structural piece of a text, with its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A structural piece of a text: `text[start:end]`, under `headings` (outermost first).

    `kind` is one of heading, paragraph, list_item, table_row, code, formula, page, html, front_matter, directive. The
    items of one list and the rows of one table have the same `group`. `level` is that of a heading, or the depth of a
    list item from 1. `number` is what a heading or an item is numbered with ("2.1.2", "第三章", "3"), or that of a
    page; a list item without one is not ordered. `parent` is the start of the list item that an item stands in, or -1.
    `role` says more: quotation, figure (its caption), caption (of the table below), footnote, continuation (a further
    paragraph of a list item), key_value ("Name: value", a definition too), lead_in (ends in a colon, a list below),
    element (of HTML in Markdown; what is no sentence in it is no prose).
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
