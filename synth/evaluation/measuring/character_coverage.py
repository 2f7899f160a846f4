"""How many characters of the evidence a list of passages covers, however the corpus was chunked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from synth.core.records import Evidence, Passage
from synth.text.language import is_han
from synth.text.normalise import fold_width, to_simplified

_SHORTEST = 12
"""Letters that a passage and a piece of evidence must share at least to overlap; a Chinese character is two."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cover:
    """For each passage, by rank, what of the evidence it covers.

    `sizes` are the characters of each piece of evidence and `documents` the number of the document each
    stands in; `spans[rank][piece]` are the characters of that piece that the passage covers, as offsets in
    it; `lengths[rank]` is the length of the passage, None when it is unknown.
    """

    sizes: tuple[int, ...]
    documents: tuple[int, ...]
    spans: tuple[tuple[tuple[Span, ...], ...], ...]
    lengths: tuple[int | None, ...]

    @property
    def total(self) -> int:
        return sum(self.sizes)

    def covered(self, k: int | None = None) -> int:
        """Characters of the evidence that the first `k` passages cover together."""
        return sum(self.of_piece(piece, k) for piece in range(len(self.sizes)))

    def of_piece(self, piece: int, k: int | None = None) -> int:
        """Characters of one piece that the first `k` passages cover together."""
        return sum(end - start for start, end in union(span for one in self.spans[:k] for span in one[piece]))

    def gains(self) -> list[float]:
        """By rank the share of the evidence that a passage covers and none before it did."""
        covered = [self.covered(k) for k in range(len(self.spans) + 1)]
        return [(after - before) / self.total for before, after in pairwise(covered)]

    def ideal(self) -> list[float]:
        """The gains of the best ranking there could be: a passage a document, the one with most evidence first."""
        shares = [0] * (max(self.documents) + 1)
        for piece, document in enumerate(self.documents):
            shares[document] += self.sizes[piece]
        return [share / self.total for share in sorted(shares, reverse=True)]

    def bears(self, rank: int, share: float) -> bool:
        """Whether the passage covers at least `share` of a piece of evidence."""
        pieces = zip(self.spans[rank], self.sizes, strict=True)
        return any(sum(end - start for start, end in union(spans)) >= share * size for spans, size in pieces)


def cover(evidence: Sequence[Evidence], passages: Sequence[Passage], *, chunk_ids: bool) -> Cover | str:
    """What passages cover of the evidence of a row, or why that cannot be said.

    A passage with a place covers what it shares with the evidence; one without, what its text does:
    white space, punctuation, width and script aside. Where `chunk_ids` says that the passages go by the
    testset's own chunks, an id stands for its chunk.
    """
    if not evidence:
        return "the row has no evidence"
    if any(not (one.placed or one.text or (chunk_ids and one.id)) for one in passages):
        return "a passage has neither a place nor a text, and its id is no chunk of the testset"
    pieces = _distinct(evidence)
    numbers = {doc_id: i for i, doc_id in enumerate(dict.fromkeys(piece.doc_id for piece in pieces))}
    return Cover(
        sizes=tuple(piece.end - piece.start for piece in pieces),
        documents=tuple(numbers[piece.doc_id] for piece in pieces),
        spans=tuple(tuple(_of(piece, one) for piece in pieces) for one in passages),
        lengths=tuple(_length(one) for one in passages),
    )


def _distinct(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The pieces, without one that lies within another, so that no character counts twice."""
    kept: list[Evidence] = []
    for piece in sorted(evidence, key=lambda one: (one.doc_id, one.start, -one.end)):
        before = kept[-1] if kept and kept[-1].doc_id == piece.doc_id else None
        start = max(piece.start, before.end) if before else piece.start
        if start < piece.end:
            kept.append(_cut(piece, start))
    return kept


def _cut(piece: Evidence, start: int) -> Evidence:
    return piece if start == piece.start else replace(piece, start=start, text=piece.text[start - piece.start :])


def _length(passage: Passage) -> int | None:
    if passage.start is not None and passage.end is not None:
        return passage.end - passage.start
    return len(passage.text) or None


def _of(piece: Evidence, passage: Passage) -> tuple[Span, ...]:
    """The characters of `piece` that `passage` covers, as offsets in the piece."""
    size = piece.end - piece.start
    if passage.start is not None and passage.end is not None and passage.doc_id:
        start, end = max(passage.start, piece.start), min(passage.end, piece.end)
        here = passage.doc_id == piece.doc_id and start < end
        return ((start - piece.start, end - piece.start),) if here else ()
    if passage.text:
        return _by_text(piece.text, passage.text)
    return ((0, size),) if passage.id == piece.chunk_id else ()


@lru_cache(maxsize=2048)
def _by_text(wanted: str, text: str) -> tuple[Span, ...]:
    """The characters of `wanted` that `text` says: all, one end of it, or the middle that `text` is."""
    letters, places = folded(wanted)
    said, _ = folded(text)
    if not letters or not said:
        return ()
    if letters in said:
        return ((0, len(wanted)),)
    at = letters.find(said)
    if at >= 0 and _letters(said) >= _SHORTEST:
        return ((places[at], places[at + len(said) - 1] + 1),)
    found = []
    head = _shared(said, letters)
    if head:
        found.append((0, places[head - 1] + 1))
    tail = _shared(letters, said)
    if tail:
        found.append((places[len(letters) - tail], len(wanted)))
    return tuple(union(found))


def _shared(left: str, right: str) -> int:
    """How many letters at the end of `left` are those at the beginning of `right`, 0 for too few."""
    for size in range(min(len(left), len(right)), 0, -1):
        if left.endswith(right[:size]):
            return size if _letters(right[:size]) >= _SHORTEST else 0
    return 0


def _letters(text: str) -> int:
    return sum(2 if is_han(char) else 1 for char in text)


@lru_cache(maxsize=2048)
def folded(text: str) -> tuple[str, tuple[int, ...]]:
    """The letters and digits of a text as they are compared, and where in it each stands."""
    chars: list[str] = []
    places: list[int] = []
    for i, char in enumerate(text):
        for one in to_simplified(fold_width(char)).casefold():
            if one.isalnum():
                chars.append(one)
                places.append(i)
    return "".join(chars), tuple(places)


def union(spans: Iterable[Span]) -> list[Span]:
    """Spans put together where they meet, in order."""
    made: list[Span] = []
    for start, end in sorted(spans):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made
