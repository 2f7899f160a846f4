"""Sentences of a document's prose, with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synth.text.blocks import Block, blocks
from synth.text.markup import Plain, plain
from synth.text.sentences import split_sentences

_SPEAKING = ("paragraph", "list_item")
_PROSE_HTML = re.compile(r"<(?:p|div|details|blockquote|section|article|center|small|dd|td|aside)\b", re.IGNORECASE)
_OTHER_HTML = re.compile(r"<(?:script|style|svg|pre|table|form|iframe|nav|button)\b", re.IGNORECASE)
_FINISHED = re.compile(r"[.!?。！？…][\"'”’」』)）]*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence of prose.

    `text` contains no markup. `start:end` is the sentence as written in the document, and `body.origin(a, b)` returns
    the offsets of `text[a:b]` in the document. `kind` is the kind of its block ("paragraph", "list_item" or "heading").
    `first` is True for the first sentence of a block. For a list item, `lead` is the plain text of the last sentence
    before the list, else "".
    """

    text: str
    start: int
    end: int
    body: Plain
    headings: tuple[str, ...]
    kind: str
    first: bool
    lead: str = ""

    @property
    def code(self) -> tuple[tuple[int, int], ...]:
        """Ranges of `text` that were inline code."""
        return self.body.code


def sentences(text: str, format: str, found: Sequence[Block] | None = None) -> list[Sentence]:
    """Return the sentences of the paragraphs and list items of a document, in order.

    Headings, tables, code, front matter and directives are left out. HTML yields only sentences with an end mark.
    Offsets count characters of `text`. `format` is the format of the document ("markdown", "text" or "passage").
    `found` are the blocks of `text` to read, by default all blocks.
    """
    all_sentences: list[Sentence] = []
    lead = ""
    for block in blocks(text, format) if found is None else found:
        if block.kind in _SPEAKING:
            of_block = list(_of_block(text, block, lead, markdown=format == "markdown"))
            if block.role == "element":
                of_block = [sentence for sentence in of_block if _FINISHED.search(sentence.text)]
            all_sentences.extend(of_block)
            if block.kind == "paragraph" and of_block:
                lead = of_block[-1].text
        elif block.kind == "heading":
            lead = ""
        elif block.kind == "html" and _speaks(text[block.start : block.end]):
            of_block = _of_block(text, replace(block, kind="paragraph"), "", markdown=True)
            all_sentences.extend(sentence for sentence in of_block if _FINISHED.search(sentence.text))
    return all_sentences


def headings(text: str, format: str, found: Sequence[Block] | None = None) -> list[Sentence]:
    """Return the headings of a document as sentences, in order.

    Headings without words are left out. `found` is as in `sentences`.
    """
    bodies = (
        (block, plain(text, block.start, block.end, markdown=format == "markdown"))
        for block in (blocks(text, format) if found is None else found)
        if block.kind == "heading"
    )
    return [
        Sentence(
            text=body.text,
            start=block.start,
            end=block.end,
            body=body,
            headings=block.headings,
            kind="heading",
            first=True,
        )
        for block, body in bodies
        if body.text
    ]


def prose(text: str, format: str, most: int, found: Sequence[Block] | None = None) -> str:
    """Return the plain text of the first paragraphs and list items of a document.

    Blocks are added until the length is above `most` characters. `found` is as in `sentences`.
    """
    parts: list[str] = []
    size = 0
    for block in blocks(text, format) if found is None else found:
        if block.kind in _SPEAKING:
            parts.append(plain(text, block.start, block.end, markdown=format == "markdown").text)
            size += len(parts[-1]) + 1
        if size > most:
            break
    return " ".join(parts)


def _speaks(html: str) -> bool:
    return bool(_PROSE_HTML.match(html)) and not _OTHER_HTML.search(html)


def _of_block(text: str, block: Block, lead: str, *, markdown: bool) -> list[Sentence]:
    body = plain(text, block.start, block.end, markdown=markdown)
    block_sentences: list[Sentence] = []
    for a, b in split_sentences(body.text):
        start, end = body.origin(a, b)
        code = tuple((max(x, a) - a, min(y, b) - a) for x, y in body.code if x < b and y > a)
        part = Plain(body.text[a:b], body.starts[a:b], body.ends[a:b], code)
        block_sentences.append(
            Sentence(
                text=body.text[a:b],
                start=start,
                end=end,
                body=part,
                headings=block.headings,
                kind=block.kind,
                first=not block_sentences,
                lead=lead if block.kind == "list_item" else "",
            )
        )
    return block_sentences
