"""Chunking of documents into passages with offsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

from synth.core.checks import check_least, check_numbers
from synth.core.errors import ConfigError
from synth.core.records import Chunk, Document, digest
from synth.core.set_settings import from_set
from synth.corpus.documents.cut_points import cuts, furthest, splits_character, whole_from
from synth.corpus.documents.units import SENTENCE, TextUnit, line_units, sentence_units, units
from synth.text.markup import plain
from synth.text.sentences import split_sentences, trimmed
from synth.text.tokens import TokenIndex

STRATEGIES = ("recursive", "fixed", "sentence", "semantic")


class TextEncoder(Protocol):
    """Encoder of texts. `encode` returns an array with a row for each text, its vector of length 1."""

    def encode(self, texts: Sequence[str]) -> Any: ...


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """Strategy, size and overlap of chunks. Sizes are in tokens of `count_tokens`.

    - "recursive" splits at sections, then at paragraphs, lists, tables and code, then at sentences, as far as needed.
    - "fixed" cuts windows of `size` tokens.
    - "sentence" packs whole sentences.
    - "semantic" splits where neighbouring sentences differ most in meaning.

    A chunk has at most `size` tokens, overlap included. Without overlap, each character is in one chunk. Raise
    ConfigError for an invalid value.
    """

    strategy: str = from_set("recursive")
    size: int = from_set(400)
    overlap: int = from_set(0)

    def __post_init__(self) -> None:
        check_numbers(self, "chunks.")
        if self.strategy not in STRATEGIES:
            raise ConfigError(f"chunk strategy {self.strategy!r} is not known; choose one of {', '.join(STRATEGIES)}")
        check_least("chunk size", self.size, 1)
        if not 0 <= self.overlap <= self.size // 2:
            raise ConfigError(
                f"chunk overlap must be from 0 to half the size ({self.size // 2} tokens), not {self.overlap}"
            )


DEFAULT = ChunkSettings()


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    whole: bool


def chunk(document: Document, settings: ChunkSettings = DEFAULT, *, encoder: TextEncoder | None = None) -> list[Chunk]:
    """Return the chunks of a document in order. The text of a chunk is `document.text[chunk.start:chunk.end]`.

    The chunks cover all characters except white space and the front matter of Markdown. `chunk_id` depends on the
    document id, the chunk's text and the number of earlier chunks with the same text. So it stays the same when text is
    added elsewhere. A ready-made passage is one chunk. Raise ConfigError if the strategy is "semantic" and `encoder` is
    missing.
    """
    if settings.strategy == "semantic" and encoder is None:
        raise ConfigError('chunk strategy "semantic" needs an encoder; name an encoder, or choose "recursive"')
    text = document.text
    chunker = _Chunker(document, settings)
    if not chunker.units and not chunker.passage:
        pieces = []
    elif chunker.passage or chunker.tokens.count(chunker.start, len(text)) <= settings.size:
        pieces = [_Piece(chunker.start, len(text), True)]
    elif settings.strategy == "fixed":
        pieces = list(chunker.fixed())
    elif settings.strategy == "recursive":
        pieces = chunker.recursive(chunker.units, depth=0)
    elif settings.strategy == "sentence":
        pieces = chunker.packed(chunker.sentences())
    else:
        assert encoder is not None
        pieces = chunker.semantic(encoder)
    return list(_chunks(document, chunker, pieces))


def _chunks(document: Document, chunker: _Chunker, pieces: list[_Piece]) -> Iterator[Chunk]:
    same: Counter[str] = Counter()
    unit = reached = 0
    for index, piece in enumerate(pieces):
        start, end = trimmed(document.text, piece.start, piece.end)
        if start == end or end <= reached:
            continue
        reached = end
        while unit + 1 < len(chunker.units) and chunker.units[unit].end <= start:
            unit += 1
        if index and chunker.settings.overlap and chunker.settings.strategy != "fixed":
            start = chunker.overlapping(pieces[index - 1], start, unit)
        text = document.text[start:end]
        yield Chunk(
            chunk_id="c-" + digest(document.doc_id, text, same[text])[:16],
            doc_id=document.doc_id,
            start=start,
            end=end,
            text=text,
            headings=chunker.headings(unit, start),
        )
        same[text] += 1


class _Chunker:
    """Splitter of one document, with a method for each strategy. Each piece becomes a chunk."""

    def __init__(self, document: Document, settings: ChunkSettings) -> None:
        self.text = document.text
        self.settings = settings
        self.passage = document.metadata.get("format") == "passage"
        self.markdown = document.metadata.get("format") == "markdown"
        self.tokens = TokenIndex(self.text)
        self.units = [] if self.passage else units(self.text, "markdown" if self.markdown else "text")
        self.start = self.units[0].start if self.units else 0
        self.budget = settings.size - settings.overlap

    def headings(self, unit: int, start: int) -> tuple[str, ...]:
        """Return the heading path at `start` in the unit with number `unit`."""
        if not self.units:
            return ()
        return self.units[unit].headings if start < self.units[unit].body else self.units[unit].inner

    def fits(self, start: int, end: int) -> bool:
        """Whether `start:end` fits into a chunk, with room left for the overlap."""
        return self.tokens.count(start, end) <= self.budget

    def fixed(self) -> Iterator[_Piece]:
        """Yield windows of `size` tokens; each begins `overlap` tokens before the end of the previous window."""
        start, size = len(self.text) - len(self.text[self.start :].lstrip()), self.settings.size
        while start < len(self.text):
            last = furthest(self.tokens, start, len(self.text), size)
            low = start + (last - start) // 2
            end = whole_from(self.text, last, low)
            yield _Piece(start, end, False)
            if end >= len(self.text):
                return
            start = max(start + 1, self._window_start(end)) if self.settings.overlap else end
            while start < len(self.text) and self.text[start].isspace():
                start += 1

    def _window_start(self, end: int) -> int:
        start = end
        while start > 0 and self.tokens.count(start - 1, end) <= self.settings.overlap:
            start -= 1
        while start < end and splits_character(self.text, start):
            start += 1
        return start

    def recursive(self, text_units: list[TextUnit], depth: int) -> list[_Piece]:
        """Split `text_units` recursively at their strongest boundaries and join small neighbours."""
        start, end = text_units[0].start, text_units[-1].end
        if self.fits(start, end):
            return [_Piece(start, end, True)]
        if len(text_units) == 1:
            return self._refine(text_units[0], depth)
        rank = min(unit.rank for unit in text_units[1:])
        pieces: list[_Piece] = []
        part = [text_units[0]]
        for unit in text_units[1:]:
            if unit.rank == rank:
                pieces.extend(self.recursive(part, depth))
                part = []
            part.append(unit)
        pieces.extend(self.recursive(part, depth))
        return self._joined(pieces, careful=rank < SENTENCE)

    def _refine(self, unit: TextUnit, depth: int) -> list[_Piece]:
        if depth == 0:
            return self.recursive(sentence_units(self.text, unit, markdown=self.markdown), 1)
        if depth == 1:
            return self.recursive(line_units(self.text, unit), 2)
        places = [unit.start, *cuts(self.text, unit.start, unit.end, self.budget, self.tokens), unit.end]
        return [_Piece(a, b, False) for a, b in pairwise(places)]

    def _joined(self, pieces: list[_Piece], *, careful: bool) -> list[_Piece]:
        """Join neighbouring pieces while they fit into a chunk.

        With `careful`, two pieces are joined only if both consist of whole units, or if at least one piece is small.
        """
        joined: list[_Piece] = []
        for piece in pieces:
            last = joined[-1] if joined else None
            if last and self.fits(last.start, piece.end) and (not careful or self._may_join(last, piece)):
                joined[-1] = _Piece(last.start, piece.end, last.whole and piece.whole)
            else:
                joined.append(piece)
        return joined

    def _may_join(self, last: _Piece, piece: _Piece) -> bool:
        small = self.budget // 4
        sizes = (self.tokens.count(last.start, last.end), self.tokens.count(piece.start, piece.end))
        return (last.whole and piece.whole) or min(sizes) <= small

    def sentences(self) -> list[TextUnit]:
        """Split the document into sentences. A sentence that does not fit into a chunk is cut."""
        sentences = []
        for unit in self.units:
            for sentence in sentence_units(self.text, unit, markdown=self.markdown):
                if self.fits(sentence.start, sentence.end):
                    sentences.append(sentence)
                    continue
                for piece in self._refine(sentence, 1):
                    body = max(piece.start, sentence.body)
                    sentences.append(replace(sentence, start=piece.start, end=piece.end, rank=SENTENCE, body=body))
        return sentences

    def packed(self, text_units: list[TextUnit]) -> list[_Piece]:
        """Pack units in order, as many as fit into each piece."""
        return self._joined([_Piece(unit.start, unit.end, True) for unit in text_units], careful=False)

    def semantic(self, encoder: TextEncoder) -> list[_Piece]:
        """Return pieces, chosen so that the sentences on either side of each boundary differ most in total."""
        sentences = self.sentences()
        rows = encoder.encode([plain(self.text, u.start, u.end, markdown=self.markdown).text for u in sentences])
        likeness = [0.0, *((rows[:-1] * rows[1:]).sum(axis=1).tolist() if len(sentences) > 1 else [])]
        costs, breaks = [0.0], [0]
        for end in range(1, len(sentences) + 1):
            best, start = None, end - 1
            while start >= 0 and (start == end - 1 or self.fits(sentences[start].start, sentences[end - 1].end)):
                # A boundary costs from 0 (opposite) to 2 (alike), so fewer boundaries are better.
                cost = costs[start] + (1.0 + likeness[start] if start else 0.0)
                if best is None or cost < best[0]:
                    best = (cost, start)
                start -= 1
            assert best is not None
            costs.append(best[0])
            breaks.append(best[1])
        pieces, end = [], len(sentences)
        while end > 0:
            pieces.append(_Piece(sentences[breaks[end]].start, sentences[end - 1].end, True))
            end = breaks[end]
        return pieces[::-1]

    def overlapping(self, before: _Piece, start: int, unit: int) -> int:
        """Return `start`, moved back over the last sentences of the preceding piece, which become the overlap.

        The first chunk of a section has no overlap.
        """
        if self.units[unit].rank <= 6 and start <= self.units[unit].body:
            return start
        low = max(before.start, start - 4 * self.settings.overlap - 4)
        # The first sentence is skipped, because it may be a fragment or the whole piece.
        starts = [low + a for a, _ in split_sentences(self.text[low:start])[1:]]
        for place in starts:
            if (
                self.tokens.count(place, start) <= self.settings.overlap
                and whole_from(self.text, place, low - 1) == place
            ):
                return place
        return start
