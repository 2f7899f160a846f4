"""What the passages of a corpus are about, by the company they keep: the "category" of each chunk."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth.text.language import detect
from synth.text.normalise import normalise
from synth.transforms.base import Transform
from synth.transforms.communities import Weights, communities

if TYPE_CHECKING:
    from synth.graph import KnowledgeGraph
    from synth.records import Chunk

_STRUCTURE = ("contains", "next", "mentions")
_BESIDE = 0.5  # weight of standing next to each other, and of being of one document
_WORDS = 2  # phrases of a label


@dataclass(frozen=True)
class Topics(Transform):
    """Assigns "category" to each chunk: the label of the community that it belongs to.

    Communities come of shared entities and key phrases, the rarer the stronger, of the edges between
    chunks, and a little of their order in documents. A label is made of the phrases most
    characteristic of the community's chunks of one language, so a community in two languages has a
    label in each. A chunk in a community of fewer than `fewest` chunks has its document's first heading,
    title, folder or name. A greater `resolution` makes more and smaller topics.
    """

    name = "topics"
    requires = ("chunk.entities", "chunk.key_phrases", "document.language")
    assigns = ("chunk.category",)
    resolution: float = 1.0
    fewest: int = 2

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        chunks = list(graph.chunks())
        signs = [_signs(graph, chunk) for chunk in chunks]
        spread = Counter(sign for found in signs for sign in found)
        member = communities(_neighbours(graph, chunks, signs, spread), self.resolution)[: len(chunks)]
        groups: dict[tuple[int, str], list[int]] = {}
        for number, chunk in enumerate(chunks):
            groups.setdefault((member[number], _language(graph, chunk)), []).append(number)
        taken: set[str] = set()
        for group in sorted(groups.values(), key=lambda numbers: (-len(numbers), numbers[0])):
            found = _label(group, signs, spread, taken) if len(group) >= self.fewest else None
            taken.update([found] if found else [])
            for number in group:
                graph.assign(chunks[number].chunk_id, "category", found or _fallback(graph, chunks[number]))


def _signs(graph: KnowledgeGraph, chunk: Chunk) -> dict[str, str]:
    """What a chunk shares with others, as it writes it, by folded form: key phrases and entities."""
    phrases = [str(phrase) for phrase in graph.value(chunk.chunk_id, "key_phrases") or ()]
    names = [entity.name for entity in graph.entities_of(chunk.chunk_id) if entity.kind != "code"]
    return {normalise(text): text for text in [*reversed(names), *reversed(phrases)]}


def _language(graph: KnowledgeGraph, chunk: Chunk) -> str:
    return str(graph.value(chunk.doc_id, "language") or detect(chunk.text))


def _neighbours(
    graph: KnowledgeGraph, chunks: Sequence[Chunk], signs: Sequence[Mapping[str, str]], spread: Mapping[str, int]
) -> Weights:
    """Chunks, then what they share, then documents, and the weights between them."""
    number = {chunk.chunk_id: n for n, chunk in enumerate(chunks)}
    shared: dict[str, int] = {}
    for found in signs:
        for sign in found:
            if spread[sign] > 1:
                shared.setdefault(sign, len(chunks) + len(shared))
    documents: dict[str, int] = {}
    for chunk in chunks:
        documents.setdefault(chunk.doc_id, len(chunks) + len(shared) + len(documents))
    weights: Weights = [{} for _ in range(len(chunks) + len(shared) + len(documents))]
    for a, b, weight in _edges(graph, number):
        _join(weights, a, b, weight)
    for n, found in enumerate(signs):
        _join(weights, n, documents[chunks[n].doc_id], _BESIDE)
        for sign in found:
            if sign in shared:
                _join(weights, n, shared[sign], math.log(1 + len(chunks) / spread[sign]) / math.sqrt(spread[sign]))
    return weights


def _edges(graph: KnowledgeGraph, number: Mapping[str, int]) -> Iterator[tuple[int, int, float]]:
    for edge in graph.relationships():
        if edge.source_id in number and edge.target_id in number:
            yield (
                number[edge.source_id],
                number[edge.target_id],
                _BESIDE if edge.kind in _STRUCTURE else max(0.0, edge.weight),
            )


def _join(weights: Weights, a: int, b: int, weight: float) -> None:
    if a != b and weight > 0:
        weights[a][b] = weights[a].get(b, 0.0) + weight
        weights[b][a] = weights[b].get(a, 0.0) + weight


def _label(
    group: Sequence[int], signs: Sequence[Mapping[str, str]], spread: Mapping[str, int], taken: set[str]
) -> str | None:
    """The most characteristic phrases of a group; one more of them where another group has the same label."""
    count: Counter[str] = Counter()
    surfaces: dict[str, Counter[str]] = {}
    for n in group:
        for sign, surface in signs[n].items():
            count[sign] += 1
            surfaces.setdefault(sign, Counter())[surface] += 1

    def telling(sign: str) -> float:
        return count[sign] * math.sqrt(count[sign] / spread[sign])

    chosen: list[str] = []
    for sign in sorted(count, key=lambda s: (-round(telling(s), 9), -len(s), s)):
        if len(chosen) >= _WORDS and " · ".join(_shown(surfaces[s]) for s in chosen) not in taken:
            break
        if not any(sign in other or other in sign for other in chosen):
            chosen.append(sign)
    label = " · ".join(_shown(surfaces[sign]) for sign in chosen)
    return label if label and label not in taken else None


def _shown(surfaces: Mapping[str, int]) -> str:
    return min(surfaces, key=lambda surface: (-surfaces[surface], surface))


def _fallback(graph: KnowledgeGraph, chunk: Chunk) -> str:
    document = graph.document(chunk.doc_id)
    folder, _, name = document.doc_id.rpartition("/")
    heading = next((piece.headings[0] for piece in graph.chunks_of(chunk.doc_id) if piece.headings), "")
    return heading or document.title or folder or name.rpartition(".")[0] or name
