"""Excerpts: parts of a long document, each read like a document of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from synth.core.records import Chunk, Document, pseudo_random, text_hash
from synth.grammar.reading import Reading

LONGEST_WHOLE = 200_000
"""Maximum number of characters of a document that is read as a whole."""

SIZE = 20_000
"""Target size of an excerpt in characters. An excerpt ends with the first passage that reaches this size."""

_LONGEST_CONTEXT = 500  # maximum characters of a table header that is repeated in an excerpt


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a document, `start:end` of its text, and the context that it is read with.

    `above` contains the spans of the headings above the part. If the part begins inside a table, it also contains the
    span of the table header.
    """

    doc_id: str
    start: int
    end: int
    above: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """Name of the excerpt in messages."""
        return f"{self.doc_id}, characters {self.start} to {self.end}"

    def document(self, document: Document) -> Document:
        """Return the excerpt as a document: first the context `above`, then the part itself."""
        text = "".join(document.text[a:b] + gap for a, b, gap in self._pieces(document.text))
        return replace(document, doc_id=self.name, text=text, content_hash=text_hash(text))

    def origin(self, text: str, span: tuple[int, int]) -> tuple[int, int] | None:
        """Convert a span of the excerpt's text into a span of the document's `text`.

        Return None if the span does not lie within one heading, the table header or the part itself.
        """
        at = 0
        for start, end, gap in self._pieces(text):
            if at <= span[0] and span[1] <= at + end - start:
                return span[0] - at + start, span[1] - at + start
            at += end - start + len(gap)
        return None

    def _pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, separator) of each span in `above` and of the part. The separator follows the span."""
        for start, end in self.above:
            yield start, end, "\n" if text.startswith("|", start) else "\n\n"
        yield self.start, self.end, ""


class ReadInExcerpts(Reading):
    """Parses of a document that cover only the excerpts `parts`. `language` is the language of the whole document."""

    def __init__(self, document: Document, parts: Sequence[Excerpt], language: str) -> None:
        super().__init__(document)
        self.parts, self.language = parts, language

    @property
    def characters(self) -> int:
        """Number of characters in the excerpts."""
        return sum(part.end - part.start for part in self.parts)

    def covers(self, passage: Chunk) -> bool:
        """Whether a passage begins in one of the excerpts."""
        return any(part.start <= passage.start < part.end for part in self.parts)


def excerpts(document: Document, passages: Sequence[Chunk], seed: int) -> list[Excerpt]:
    """Return the excerpts of a document, shuffled by `seed`. Together they contain all passages."""
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
    """Yield start and end of each excerpt, and the headings above its beginning."""
    first = 0
    for at in range(len(passages)):
        after = passages[at + 1].start if at + 1 < len(passages) else len(text)
        if after - passages[first].start >= SIZE or after == len(text):
            yield passages[first].start, after, passages[first].headings
            first = at + 1


def _heading(text: str, heading: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of the last line in `text[start:end]` that consists of this heading, or None."""
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
    """Return the span of the header of the table that continues across `end`, or an empty tuple if none does.

    The previous excerpt began at `start`. `before` is the result for that excerpt.
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
