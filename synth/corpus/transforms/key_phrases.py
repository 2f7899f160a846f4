"""Key phrases of each chunk: its nouns and noun phrases."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth.core.records import Chunk
from synth.corpus.analysis.mentions.credits import is_credit
from synth.corpus.analysis.phrases import chinese_phrases, english_phrases
from synth.corpus.transforms.base import Transform
from synth.text.prompt_injection import order_spans
from synth.text.prose import Sentence

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading

Phrase: TypeAlias = tuple[int, int, str, str, str]
"""Start, end, normalised form, surface form, and the text of the heading that contains the phrase ("" in body text)."""

WeightedPhrase: TypeAlias = tuple[str, str, float]
"""Normalised form of a phrase, its surface form in a chunk, and its weight in the chunk."""
_IN_HEADING = 2.0


@dataclass(frozen=True)
class KeyPhrases(Transform):
    """Phrases of each passage that tell what it is about, most characteristic first.

    Assigns up to `max_phrases` "key_phrases" to each chunk, from its text and the headings above it. A phrase ranks
    high if it is frequent in the chunk and rare in the corpus. If one phrase contains another, only the higher-ranked
    phrase is kept. Sentences that look like prompt injection are skipped.
    """

    name = "key_phrases"
    requires = ("chunk.text", "document.language")
    assigns = ("chunk.key_phrases",)
    max_phrases: int = 8

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> list[list[WeightedPhrase]]:
        phrases = sorted(_phrases(reading), key=lambda phrase: phrase[:2])
        by_heading: dict[str, list[tuple[str, str]]] = {}
        for _, _, key, surface, heading in phrases:
            if heading:
                by_heading.setdefault(heading, []).append((key, surface))
        return [_weighted_phrases(chunk, phrases, by_heading) for chunk in chunks]

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, list[list[WeightedPhrase]]]) -> None:
        chunk_counts = Counter(key for chunks in artifacts.values() for phrases in chunks for key, _, _ in phrases)
        total = sum(len(chunks) for chunks in artifacts.values())
        for doc_id, chunks in artifacts.items():
            for chunk, phrases in zip(graph.chunks_of(doc_id), chunks, strict=True):
                graph.assign(chunk.chunk_id, "key_phrases", self._best(phrases, chunk_counts, total))

    def _best(self, phrases: Sequence[WeightedPhrase], chunk_counts: Mapping[str, int], total: int) -> list[str]:
        def salience(phrase: WeightedPhrase) -> float:
            key, _, weight = phrase
            return (1 + math.log(weight)) * math.log(1 + total / chunk_counts[key]) * _length_factor(key)

        kept: list[str] = []
        surfaces: list[str] = []
        for key, surface, _ in sorted(phrases, key=lambda p: (-salience(p), p[0])):
            if not any(_is_part(key, other) or _is_part(other, key) for other in kept):
                kept.append(key)
                surfaces.append(surface)
            if len(kept) == self.max_phrases:
                break
        return surfaces


def _length_factor(key: str) -> float:
    """Return the weight factor for the length of a phrase, higher for two or three words than for one."""
    words = len(key.split()) if key.isascii() else max(1.0, len(key) / 2)
    return 1 + 0.35 * min(words - 1, 2)


def _is_part(part: str, whole: str) -> bool:
    """Whether a phrase is part of another phrase. English phrases are compared by whole words."""
    return f" {part} " in f" {whole} " if part.isascii() else part in whole


def _phrases(reading: Reading) -> Iterator[Phrase]:
    """Yield the phrases of a document and its headings."""
    parses = [*reading.parsed, *reading.parsed_headings]
    if reading.language == "en":
        phrases = [*english_phrases(parses)]
    elif reading.is_chinese:
        phrases = [*chinese_phrases(parses)]
    else:
        return
    orders = order_spans(reading.document.text)
    for sentence, phrases_of_sentence in zip([*reading.sentences, *reading.headings], phrases, strict=True):
        if any(start < sentence.end and sentence.start < end for start, end in orders):
            continue
        if is_credit(reading.document.text, sentence.start, sentence.end):
            continue
        for start, end, key in phrases_of_sentence:
            if not _is_code(sentence, start, end):
                title = sentence.text if sentence.kind == "heading" else ""
                yield *sentence.body.origin(start, end), key, sentence.text[start:end], title


def _is_code(sentence: Sentence, start: int, end: int) -> bool:
    return any(start < b and end > a for a, b in sentence.code)


def _weighted_phrases(
    chunk: Chunk,
    phrases: Sequence[Phrase],
    by_heading: Mapping[str, Sequence[tuple[str, str]]],
) -> list[WeightedPhrase]:
    """Return the phrases of a chunk and of the headings above it, with their weights."""
    weights: Counter[str] = Counter()
    surfaces: dict[str, Counter[str]] = {}

    def count(key: str, surface: str, weight: float) -> None:
        weights[key] += weight  # type: ignore[assignment]
        surfaces.setdefault(key, Counter())[surface] += 1

    headings = dict.fromkeys(chunk.headings[-2:])
    for start, end, key, surface, heading in phrases[bisect_left(phrases, chunk.start, key=lambda p: p[0]) :]:
        if start >= chunk.end:
            break
        if heading:
            headings[heading] = None
        elif end <= chunk.end:
            count(key, surface, 1.0)
    for heading in headings:
        for key, surface in by_heading.get(heading, ()):
            count(key, surface, _IN_HEADING)
    return [
        (key, min(surfaces[key], key=lambda s: (-surfaces[key][s], s)), float(weight))
        for key, weight in sorted(weights.items())
    ]
