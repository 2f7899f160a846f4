"""Characters of the evidence that a list of passages covers, independent of chunking."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from synth.core.records import Evidence, Passage
from synth.text.language import is_han
from synth.text.markup import plain
from synth.text.normalise import fold_width, to_simplified

_SHORTEST = 12
"""Minimum overlap of a passage and a piece of evidence, in letters. A Chinese character counts as two."""

_MARKUP = re.compile(r"[<\[*_`&$\\]")

_TELLING = 20
"""Length in letters from which a text counts as unique. Shorter texts may occur in many places of a corpus."""
_DRIFT = 0.25
"""Maximum difference between the offsets of two loaders for the same text, as a share of the offset."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cover:
    """Coverage of the evidence by each passage, by rank.

    - `sizes`: length of each piece of evidence; `documents`: number of its document.
    - `spans[rank][piece]`: spans of the piece that the passage covers, as offsets in the piece.
    - `lengths[rank]`: length of the passage, None if unknown.
    - `by_alternative`: whether some evidence is covered only because a passage contains an alternative to it.
    """

    sizes: tuple[int, ...]
    documents: tuple[int, ...]
    spans: tuple[tuple[tuple[Span, ...], ...], ...]
    lengths: tuple[int | None, ...]
    by_alternative: bool = False

    @property
    def total(self) -> int:
        return sum(self.sizes)

    def covered(self, k: int | None = None) -> int:
        """Return the number of evidence characters that the first `k` passages (None for all) cover together."""
        return sum(self.of_piece(piece, k) for piece in range(len(self.sizes)))

    def of_piece(self, piece: int, k: int | None = None) -> int:
        """Return the number of characters of one piece that the first `k` passages (None for all) cover together."""
        return sum(end - start for start, end in union(span for passage in self.spans[:k] for span in passage[piece]))

    def gains(self) -> list[float]:
        """Return for each rank the share of the evidence that this passage covers and no earlier passage does."""
        covered = [self.covered(k) for k in range(len(self.spans) + 1)]
        return [(after - before) / self.total for before, after in pairwise(covered)]

    def ideal(self) -> list[float]:
        """Return the gains of the best ranking: one passage per document, the document with most evidence first."""
        shares = [0] * (max(self.documents) + 1)
        for piece, document in enumerate(self.documents):
            shares[document] += self.sizes[piece]
        return [share / self.total for share in sorted(shares, reverse=True)]

    def bears(self, rank: int, share: float) -> bool:
        """Return whether the passage covers at least `share` of a piece of evidence."""
        pieces = zip(self.spans[rank], self.sizes, strict=True)
        return any(sum(end - start for start, end in union(spans)) >= share * size for spans, size in pieces)


def cover(
    evidence: Sequence[Evidence],
    passages: Sequence[Passage],
    *,
    chunk_ids: bool,
    alternatives: Sequence[tuple[int, Evidence]] = (),
) -> Cover | str:
    """Return the coverage of the evidence of a row by passages, or the reason why it is unknown.

    A passage is matched by its text, ignoring markup, white space, punctuation, width and script. Its offsets are used
    if it has no text, or if its text equals the evidence at these offsets. With `chunk_ids`, an id without text and
    offsets matches its whole chunk. A passage that covers a share of an alternative covers the same share of the
    evidence that the alternative replaces.
    """
    if not evidence:
        return "the row has no evidence"
    if any(not (passage.placed or passage.text or (chunk_ids and passage.id)) for passage in passages):
        return "a passage has neither offsets nor a text, and its id is not that of a chunk of the testset"
    pieces = _distinct(evidence)
    numbers = {doc_id: i for i, doc_id in enumerate(dict.fromkeys(piece.doc_id for piece in pieces))}
    own = [[_of(piece, passage) for piece in pieces] for passage in passages]
    others = [[_replacing(piece, passage, evidence, alternatives) for piece in pieces] for passage in passages]
    return Cover(
        sizes=tuple(piece.end - piece.start for piece in pieces),
        documents=tuple(numbers[piece.doc_id] for piece in pieces),
        spans=tuple(
            tuple(tuple(union(x + y)) for x, y in zip(*both, strict=True)) for both in zip(own, others, strict=True)
        ),
        lengths=tuple(_length(passage) for passage in passages),
        by_alternative=any(
            union(x + y) != union(x) for both in zip(own, others, strict=True) for x, y in zip(*both, strict=True)
        ),
    )


def _replacing(
    piece: Evidence, passage: Passage, evidence: Sequence[Evidence], alternatives: Sequence[tuple[int, Evidence]]
) -> tuple[Span, ...]:
    """Return the span of a piece that a passage covers through an alternative to the piece."""
    most = 0.0
    for number, other in alternatives:
        replaced = evidence[number]
        if (replaced.doc_id, replaced.end) == (piece.doc_id, piece.end):
            covered = sum(end - start for start, end in union(_of(other, passage)))
            most = max(most, covered / max(1, other.end - other.start))
    return ((0, round(most * (piece.end - piece.start))),) if most else ()


def _distinct(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the pieces without overlaps, so that no character counts twice."""
    kept: list[Evidence] = []
    for piece in sorted(evidence, key=lambda item: (item.doc_id, item.start, -item.end)):
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
    """Return the spans of `piece` that `passage` covers, as offsets in the piece.

    Offsets are used if the passage has no text, or if its text equals the evidence at these offsets. Otherwise the text
    decides.
    """
    by_place = _by_place(piece, passage)
    if not passage.text:
        whole = not passage.placed and passage.id == piece.chunk_id
        return ((0, piece.end - piece.start),) if whole else by_place
    if by_place and _is_confirmed(piece, passage, *by_place[0]):
        return by_place
    short = _letters(folded(piece.text)[0]) < _TELLING
    return () if short and passage.placed and not _is_near(piece, passage) else _by_text(piece.text, passage.text)


def _by_place(piece: Evidence, passage: Passage) -> tuple[Span, ...]:
    if passage.start is None or passage.end is None or passage.doc_id != piece.doc_id:
        return ()
    start, end = max(passage.start, piece.start), min(passage.end, piece.end)
    return ((start - piece.start, end - piece.start),) if start < end else ()


def _is_confirmed(piece: Evidence, passage: Passage, start: int, end: int) -> bool:
    """Return whether the text of a passage contains these characters of a piece where its offsets say."""
    shift = piece.start - (passage.start or 0)
    expected, given = piece.text[start:end], passage.text[start + shift : end + shift]
    return expected == given or folded(expected)[0] == folded(given)[0]


def _is_near(piece: Evidence, passage: Passage) -> bool:
    """Return whether a passage is so near a piece that other line ends or markup may explain the distance."""
    start, end = passage.start or 0, passage.end or 0
    drift = _DRIFT * piece.start + _TELLING
    return passage.doc_id == piece.doc_id and start - drift <= piece.start and piece.end <= end + drift


@lru_cache(maxsize=2048)
def _by_text(evidence: str, text: str) -> tuple[Span, ...]:
    """Return the spans of `evidence` that `text` contains, with or without markup.

    `text` may contain all of the evidence, only its beginning or end, or be a part of it.
    """
    literal = _in_letters(folded(evidence), folded(text)[0], len(evidence))
    if literal == ((0, len(evidence)),) or not _MARKUP.search(f"{evidence}{text}"):
        return literal
    bare = plain(evidence)
    letters, places = folded(bare.text)
    unmarked = _in_letters(
        (letters, tuple(bare.starts[place] for place in places)), folded(plain(text).text)[0], len(evidence)
    )
    return max(literal, unmarked, key=lambda spans: sum(end - start for start, end in spans))


def _in_letters(evidence: tuple[str, tuple[int, ...]], text_letters: str, size: int) -> tuple[Span, ...]:
    letters, places = evidence
    if not letters or not text_letters:
        return ()
    if letters in text_letters:
        return ((0, size),)
    at = letters.find(text_letters)
    if at >= 0 and _letters(text_letters) >= _SHORTEST:
        return ((places[at], places[at + len(text_letters) - 1] + 1),)
    spans = []
    head = _shared(text_letters, letters)
    if head:
        spans.append((0, places[head - 1] + 1))
    tail = _shared(letters, text_letters)
    if tail:
        spans.append((places[len(letters) - tail], size))
    return tuple(union(spans))


def _shared(left: str, right: str) -> int:
    """Return the length in letters of the end of `left` with which `right` starts; 0 if it is too short."""
    for size in range(min(len(left), len(right)), 0, -1):
        if left.endswith(right[:size]):
            return size if _letters(right[:size]) >= _SHORTEST else 0
    return 0


def _letters(text: str) -> int:
    return sum(2 if is_han(char) else 1 for char in text)


@lru_cache(maxsize=2048)
def folded(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the letters and digits of a text in normal form, and the offset of each."""
    chars: list[str] = []
    places: list[int] = []
    for i, char in enumerate(text):
        for letter in to_simplified(fold_width(char)).casefold():
            if letter.isalnum():
                chars.append(letter)
                places.append(i)
    return "".join(chars), tuple(places)


def union(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, merged if they overlap or touch."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
