"""The phrases that tell what a chunk is about: nouns and noun phrases, in the words of the chunk."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth.core.records import Chunk
from synth.corpus.analysis.headings import headings
from synth.corpus.analysis.mentions.credits import is_credit
from synth.corpus.analysis.phrases import chinese_phrases, english_phrases
from synth.corpus.transforms.base import Transform
from synth.grammar import parsing
from synth.text.prompt_injection import order_spans
from synth.text.prose import Sentence

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading

# Of each chunk: key of the phrase, how the chunk writes it, and its weight there.
Weighed: TypeAlias = list[list[tuple[str, str, float]]]
_IN_HEADING = 2.0


@dataclass(frozen=True)
class KeyPhrases(Transform):
    """Assigns to each chunk up to `most` phrases, "key_phrases", the most telling first.

    A phrase counts where it stands in the chunk and in the headings above it; frequent in the chunk
    and rare in the corpus is telling, and of two phrases one of which holds the other the better stays. What
    speaks to language models gives none: topics, and so rows, are named by them.
    """

    name = "key_phrases"
    requires = ("chunk.text", "document.language")
    assigns = ("chunk.key_phrases",)
    most: int = 8

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> Weighed:
        found = sorted(_located(reading), key=lambda one: one[:2])
        under: dict[str, list[tuple[str, str]]] = {}
        for one in found:
            if one[4]:
                under.setdefault(one[4], []).append((one[2], one[3]))
        return [_weighed(chunk, found, under) for chunk in chunks]

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Weighed]) -> None:
        spread = Counter(key for chunks in artifacts.values() for phrases in chunks for key, _, _ in phrases)
        total = sum(len(chunks) for chunks in artifacts.values())
        for doc_id, chunks in artifacts.items():
            for chunk, phrases in zip(graph.chunks_of(doc_id), chunks, strict=True):
                graph.assign(chunk.chunk_id, "key_phrases", self._best(phrases, spread, total))

    def _best(self, phrases: Sequence[tuple[str, str, float]], spread: Mapping[str, int], total: int) -> list[str]:
        def salience(phrase: tuple[str, str, float]) -> float:
            key, _, weight = phrase
            return (1 + math.log(weight)) * math.log(1 + total / spread[key]) * _fullness(key)

        kept: list[str] = []
        shown: list[str] = []
        for key, surface, _ in sorted(phrases, key=lambda p: (-salience(p), p[0])):
            if not any(_within(key, other) or _within(other, key) for other in kept):
                kept.append(key)
                shown.append(surface)
            if len(kept) == self.most:
                break
        return shown


def _fullness(key: str) -> float:
    """Two or three words say more than one."""
    words = len(key.split()) if key.isascii() else max(1.0, len(key) / 2)
    return 1 + 0.35 * min(words - 1, 2)


def _within(part: str, whole: str) -> bool:
    return f" {part} " in f" {whole} " if part.isascii() else part in whole


def _located(reading: Reading) -> Iterator[tuple[int, int, str, str, str]]:
    """Phrases of a document: start, end, key, surface, and the heading that they are of, if any."""
    titles = headings(reading)
    if reading.language == "en":
        phrases = [*english_phrases(reading.parsed), *english_phrases(parsing.parse_english(titles))]
    elif reading.is_chinese:
        phrases = [*chinese_phrases(reading.parsed), *chinese_phrases(parsing.parse_chinese(titles))]
    else:
        return
    orders = order_spans(reading.document.text)
    for sentence, of_sentence in zip([*reading.sentences, *titles], phrases, strict=True):
        if any(start < sentence.end and sentence.start < end for start, end in orders):
            continue
        if is_credit(reading.document.text, sentence.start, sentence.end):
            continue
        for start, end, key in of_sentence:
            if not _is_code(sentence, start, end):
                title = sentence.text if sentence.kind == "heading" else ""
                yield *sentence.body.origin(start, end), key, sentence.text[start:end], title


def _is_code(sentence: Sentence, start: int, end: int) -> bool:
    return any(start < b and end > a for a, b in sentence.code)


def _weighed(
    chunk: Chunk,
    found: Sequence[tuple[int, int, str, str, str]],
    under: Mapping[str, Sequence[tuple[str, str]]],
) -> list[tuple[str, str, float]]:
    weights: Counter[str] = Counter()
    surfaces: dict[str, Counter[str]] = {}

    def count(key: str, surface: str, weight: float) -> None:
        weights[key] += weight  # type: ignore[assignment]
        surfaces.setdefault(key, Counter())[surface] += 1

    for start, end, key, surface, title in found[bisect_left(found, chunk.start, key=lambda one: one[0]) :]:
        if start >= chunk.end:
            break
        if end <= chunk.end and not title:
            count(key, surface, 1.0)
    above = dict.fromkeys(
        (*chunk.headings[-2:], *(one[4] for one in found if chunk.start <= one[0] < chunk.end and one[4]))
    )
    for title in above:
        for key, surface in under.get(title, ()):
            count(key, surface, _IN_HEADING)
    return [
        (key, min(surfaces[key], key=lambda s: (-surfaces[key][s], s)), float(weight))
        for key, weight in sorted(weights.items())
    ]
