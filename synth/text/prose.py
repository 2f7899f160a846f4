"""The sentences of a document that say something, each with its exact place in the text."""

from __future__ import annotations

import re
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
    """One sentence of prose.

    `text` is plain (no markup); `body` maps it back: `body.origin(a, b)` gives the offsets in the
    document of `text[a:b]` (`starts` and `ends` index `text`). `document_text[start:end]` is the
    sentence as written. `kind` is the block's ("paragraph" or "list_item"), `first` says that it
    opens its block, `previous` is the plain text of the sentence before it in the block, if any,
    and `lead` that of the last paragraph sentence before a list.
    """

    text: str
    start: int
    end: int
    body: Plain
    headings: tuple[str, ...]
    kind: str
    first: bool
    previous: str = ""
    lead: str = ""

    @property
    def code(self) -> tuple[tuple[int, int], ...]:
        """Ranges of `text` that were inline code."""
        return self.body.code


def sentences(text: str, format: str) -> list[Sentence]:
    """Sentences of the paragraphs and list items of a document, in order.

    Headings, tables, code, front matter and directives have none; raw HTML has those that a
    paragraph of it holds and finishes. Offsets count characters of `text`. `format` is the
    document's ("markdown", "text", "passage").
    """
    found: list[Sentence] = []
    lead = ""
    for block in blocks(text, format):
        if block.kind in _SPEAKING:
            of_block = list(_of_block(text, block, lead, markdown=format == "markdown"))
            found.extend(of_block)
            if block.kind == "paragraph" and of_block:
                lead = of_block[-1].text
        elif block.kind == "heading":
            lead = ""
        elif block.kind == "html" and _speaks(text[block.start : block.end]):
            of_block = _of_block(text, replace(block, kind="paragraph"), "", markdown=True)
            found.extend(sentence for sentence in of_block if _FINISHED.search(sentence.text))
    return found


def prose(text: str, format: str, most: int) -> str:
    """The first `most` characters, or a few more, of the plain text of the paragraphs and list items of a document."""
    parts: list[str] = []
    size = 0
    for block in blocks(text, format):
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
    found: list[Sentence] = []
    for a, b in split_sentences(body.text):
        start, end = body.origin(a, b)
        code = tuple((max(x, a) - a, min(y, b) - a) for x, y in body.code if x < b and y > a)
        part = Plain(body.text[a:b], body.starts[a:b], body.ends[a:b], code)
        found.append(
            Sentence(
                text=body.text[a:b],
                start=start,
                end=end,
                body=part,
                headings=block.headings,
                kind=block.kind,
                first=not found,
                previous=found[-1].text if found else "",
                lead=lead if block.kind == "list_item" else "",
            )
        )
    return found
