"""Passages that belong together: they name the same rare things, or one refers to the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log

from synth.filters.base import Corpus
from synth.records import Chunk
from synth.sections import Section, characters, section_of
from synth.text.tokens import words

MOST_TOGETHER = 3
"""Passages in one request for a question over several of them."""

_QUERY = 12  # words of a passage by which others are looked for
_NEAREST = 24
_TOO_ALIKE = 0.6
_SMALLEST = 120
_NEAR = 1500  # characters between two passages of one document that belong together anyway
_REFERENCES = ("refers_to", "shares_entities", "similar")


@dataclass(frozen=True, slots=True)
class Group:
    """Passages, the first of which was chosen and the others found by it, and the words that they share."""

    passages: tuple[Section, ...]
    shared: tuple[str, ...]


@dataclass(slots=True)
class Related:
    """Finds passages related to one, by the index of the whole corpus and the edges of the graph; any language."""

    corpus: Corpus
    _frequencies: dict[str, int] = field(init=False, default_factory=dict)

    def group(self, chunk_id: str) -> Group | None:
        """The passage with those related to it, of other documents first; None where there are none."""
        graph = self.corpus.graph
        home = graph.chunk(chunk_id)
        weights = self.weights(home.text, home.headings)
        if not weights:
            return None
        query = sorted(weights, key=lambda word: (-weights[word], word))[:_QUERY]
        ranked = [name for name, _ in self.corpus.index.top(" ".join(query), _NEAREST)]
        linked = [name for kind in _REFERENCES for name in graph.targets(chunk_id, kind) if name != chunk_id]
        near = self._distinct(chunk_id, [*(name for name in linked if name.startswith("c-")), *ranked], weights)
        if not near:
            return None
        passages = tuple(section_of(graph, name) for name in (chunk_id, *near))
        shared = [
            word
            for word in query
            if any(word in set(words(graph.chunk(name).text)) for name in near)
        ]
        return Group(passages, tuple(shared[:5]))

    def weights(self, text: str, headings: Sequence[str]) -> dict[str, float]:
        """Words of a passage by how well they tell it from others: frequency here, rarity in the corpus."""
        if not self._frequencies:
            self._frequencies = self.corpus.index.frequencies()
        passages = len(self.corpus.index.ids)
        counts = Counter(words(text))
        for heading in headings[-1:]:
            counts.update(words(heading))
        return {
            word: (1 + log(count)) * log(1 + passages / self._frequencies[word])
            for word, count in counts.items()
            # A word that no other passage has leads nowhere; one that a third of them have tells nothing.
            if 2 <= self._frequencies.get(word, 0) <= max(3, passages / 3) and len(word) > 1 and not word.isdigit()
        }

    def _distinct(self, chunk_id: str, names: Sequence[str], weights: dict[str, float]) -> list[str]:
        graph = self.corpus.graph
        home = graph.chunk(chunk_id)
        language = graph.value(home.doc_id, "language")
        chosen: list[Chunk] = []
        seen = [set(words(home.text))]
        chunks = [graph.chunk(name) for name in dict.fromkeys(names) if name != chunk_id]
        # Passages of the same document only where no other document has any.
        for chunk in sorted(chunks, key=lambda one: one.doc_id == home.doc_id):
            told = set(words(chunk.text))
            if characters(chunk.text) < _SMALLEST or any(_are_neighbours(chunk, other) for other in (home, *chosen)):
                continue
            if graph.value(chunk.doc_id, "language") != language or not told & weights.keys():
                continue
            if any(_alike(told, other) for other in seen):
                continue
            chosen.append(chunk)
            seen.append(told)
            if len(chosen) == MOST_TOGETHER - 1:
                break
        return [chunk.chunk_id for chunk in chosen]


def _are_neighbours(one: Chunk, other: Chunk) -> bool:
    """Whether two passages stand so near to each other that one would be read with the other."""
    return one.doc_id == other.doc_id and max(one.start, other.start) - min(one.end, other.end) < _NEAR


def _alike(one: set[str], other: set[str]) -> bool:
    """Whether two passages say much the same, as versions of one page do."""
    return len(one & other) > _TOO_ALIKE * min(len(one), len(other))
