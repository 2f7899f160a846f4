"""Passages prepared for filters: split into sentences, with their titles and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from synth.core.records import Chunk, Document
from synth.corpus.coverage import Rarity, StemmedText
from synth.retrieval.bm25 import LexicalIndex
from synth.text.markup import plain
from synth.text.sentences import split_sentences

_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[*+-]|\d{1,3}[.)]|#{1,6})\s|\s*\|)")
_KEPT = 8000
"""Number of prepared passages kept in memory; the oldest are dropped first."""


@dataclass(frozen=True, slots=True)
class MatchedSentence:
    """A sentence of a passage.

    `text` is the sentence without markup, and `start`, `end` are its offsets in the passage. `stemmed` is its form for
    matching. `before` is the preceding sentence, or "", and `stemmed_before` its form for matching.
    """

    text: str
    start: int
    end: int
    stemmed: StemmedText
    before: str
    stemmed_before: StemmedText


@dataclass(frozen=True, slots=True)
class MatchedPassage:
    """A passage prepared for matching.

    `about` is the document title with the headings of the passage. `lines` are its sentences, and `text` joins them
    without markup. `stemmed` contains the words of both.
    """

    chunk_id: str
    doc_id: str
    about: StemmedText
    lines: tuple[MatchedSentence, ...]
    stemmed: StemmedText
    text: str


class IndexedPassages(Protocol):
    """Passages of documents with a lexical index."""

    @property
    def index(self) -> LexicalIndex: ...

    def document(self, doc_id: str) -> Document: ...

    def chunk(self, chunk_id: str) -> Chunk: ...


@dataclass(frozen=True)
class MatchedPassages:
    """The passages of a corpus, each prepared when first requested."""

    corpus: IndexedPassages
    _read: dict[str, MatchedPassage] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def rarity(self) -> Rarity:
        """Weights of stems in the passages of the corpus."""
        return Rarity(len(self.corpus.index.ids), self.corpus.index.by_stem())

    def near(self, query: str, count: int, among: LexicalIndex | None = None) -> list[MatchedPassage]:
        """Return up to `count` passages that BM25 ranks highest for a query, best first.

        Passages that share no word with the query are left out. `among` restricts the search to another index.
        """
        return [self.passage(name) for name, _ in (among or self.corpus.index).top(query, count)]

    def passage(self, chunk_id: str) -> MatchedPassage:
        """Return the prepared passage with this id."""
        if chunk_id not in self._read:
            if len(self._read) >= _KEPT:
                del self._read[next(iter(self._read))]
            self._read[chunk_id] = self._reading(self.corpus.chunk(chunk_id))
        return self._read[chunk_id]

    def _reading(self, chunk: Chunk) -> MatchedPassage:
        document = self.corpus.document(chunk.doc_id)
        about = StemmedText.of(" ".join([document.title, *chunk.headings]))
        markdown = document.metadata.get("format") == "markdown"
        lines: list[MatchedSentence] = []
        before, stemmed_before = "", StemmedText.of("")
        for text, start, end in sentences(chunk.text, markdown=markdown):
            lines.append(MatchedSentence(text, start, end, StemmedText.of(text), before, stemmed_before))
            before, stemmed_before = text, lines[-1].stemmed
        stemmed = about
        if lines:
            stems = about.stems.union(*(line.stemmed.stems for line in lines))
            stemmed = StemmedText(stems, " ".join([about.text, *(line.stemmed.text for line in lines)]))
        text = " ".join(line.text for line in lines)
        return MatchedPassage(chunk.chunk_id, chunk.doc_id, about, tuple(lines), stemmed, text)


def sentences(text: str, *, markdown: bool) -> Iterator[tuple[str, int, int]]:
    """Yield each sentence and list item without markup, with its start and end in `text`."""
    start = 0
    for stop in [*(match.start() for match in _BLOCK.finditer(text)), len(text)]:
        body = plain(text, start, stop, markdown=markdown)
        yield from ((body.text[a:b], *body.origin(a, b)) for a, b in split_sentences(body.text))
        start = stop
