"""Headings of a document as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.text.blocks import blocks
from synth.text.markup import Plain, plain
from synth.text.prose import Sentence

if TYPE_CHECKING:
    from synth.grammar.reading import Reading


def headings(reading: Reading) -> list[Sentence]:
    """The headings of a document in order; those without words are left out."""
    text = reading.document.text
    form = str(reading.document.metadata.get("format", "text"))
    sentences = []
    for block in blocks(text, form):
        if block.kind != "heading":
            continue
        body: Plain = plain(text, block.start, block.end, markdown=form == "markdown")
        if body.text:
            sentences.append(
                Sentence(
                    text=body.text,
                    start=block.start,
                    end=block.end,
                    body=body,
                    headings=block.headings,
                    kind="heading",
                    first=True,
                )
            )
    return sentences
