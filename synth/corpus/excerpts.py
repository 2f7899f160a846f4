"""Excerpts: the parts of a long document that are read as documents of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from synth.core.records import Chunk, Document, pseudo_random, text_hash
from synth.grammar.reading import Reading

LONGEST_WHOLE = 200_000
"""Characters up to which a document is read as a whole."""

SIZE = 20_000
"""Characters of an excerpt; it ends with the first passage that reaches them."""

_LONGEST_CONTEXT = 500  # characters of a heading or of the header of a table that is repeated


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a document, `start:end` of its text, with the places of what stands above it.

    `above` are the headings that the part is under and, where it begins inside a table, the two header lines.
    """

    doc_id: str
    start: int
    end: int
    above: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.doc_id}, characters {self.start} to {self.end}"

    def document(self, document: Document) -> Document:
        """The excerpt as a document: headings, then the part."""
        text = "".join(document.text[a:b] + gap for a, b, gap in self._pieces(document.text))
        return replace(document, doc_id=self.name, text=text, content_hash=text_hash(text))

    def origin(self, text: str, span: tuple[int, int]) -> tuple[int, int] | None:
        """The place in the document's `text` of a span of the excerpt; None for one over several pieces."""
        at = 0
        for start, end, gap in self._pieces(text):
            if at <= span[0] and span[1] <= at + end - start:
                return span[0] - at + start, span[1] - at + start
            at += end - start + len(gap)
        return None

    def _pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start and end of each piece, and what is put between it and the next."""
        for start, end in self.above:
            yield start, end, "\n" if text.startswith("|", start) else "\n\n"
        yield self.start, self.end, ""


class ReadInExcerpts(Reading):
    """A document of which only `parts` are read; `language` is that of the whole."""

    def __init__(self, document: Document, parts: Sequence[Excerpt], language: str) -> None:
        super().__init__(document)
        self.parts, self.language = parts, language

    @property
    def characters(self) -> int:
        return sum(part.end - part.start for part in self.parts)

    def covers(self, passage: Chunk) -> bool:
        return any(part.start <= passage.start < part.end for part in self.parts)


def excerpts(document: Document, passages: Sequence[Chunk], seed: int) -> list[Excerpt]:
    """The excerpts of a document, in an order drawn by the seed; together they have all of its passages."""
    parts: list[Excerpt] = []
    table: tuple[tuple[int, int], ...] = ()
    known: dict[str, tuple[int, int]] = {}
    before = 0
    for start, end, headings in _runs(document.text, passages):
        for heading in headings:
            if place := _heading(document.text, heading, before, start):
                known[heading] = place
        above = sorted({known[heading] for heading in headings if heading in known})
        table = _table_header(document.text, before, start, table)
        parts.append(Excerpt(document.doc_id, start, end, (*above, *table)))
        before = start
    return sorted(parts, key=lambda part: pseudo_random(seed, "excerpt", part.doc_id, part.start))


def _runs(text: str, passages: Sequence[Chunk]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Start and end of the excerpts, and the headings that each begins under."""
    first = 0
    for at in range(len(passages)):
        after = passages[at + 1].start if at + 1 < len(passages) else len(text)
        if after - passages[first].start >= SIZE or after == len(text):
            yield passages[first].start, after, passages[first].headings
            first = at + 1


def _heading(text: str, heading: str, start: int, end: int) -> tuple[int, int] | None:
    """The last line of `text[start:end]` that is this heading as it reads, or None."""
    at = text.rfind(heading, start, end) if heading else -1
    while at >= 0:
        line = _line(text, at, at + len(heading))
        if text[slice(*line)].strip(" \t#") == heading:
            return line
        at = text.rfind(heading, start, at)
    return None


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    after = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if after < 0 else after


def _table_header(text: str, start: int, end: int, before: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The place of the header of the table that goes on at `end`, or none.

    `before` is that of the table that went on at `start`, where the excerpt before began.
    """
    if not text.startswith("|", end) or text[max(0, end - 2) : end].strip("|\n"):
        return ()
    break_at = max(text.rfind("\n\n", start, end), -1)
    first = break_at + 2 if break_at >= 0 else start
    if break_at < 0 and before:
        return before
    _, header = _line(text, first, first)
    _, rule = _line(text, header + 1, header + 1) if header < end else (0, 0)
    if rule > end or rule - first > _LONGEST_CONTEXT or set(text[header + 1 : rule]) - set("|-: "):
        return ()
    return ((first, rule),)
