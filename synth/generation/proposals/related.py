"""Related passages: they name the same rare things, or one refers to the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import log

from synth.core.records import Chunk
from synth.corpus.sections import Section, characters, lines_of, section_of
from synth.generation.filters.base import Corpus
from synth.text.tokens import words

MOST_TOGETHER = 5
"""Passages in one request for a question over several of them."""

WINDOW = 40
"""Passages among which the one with the closest relations is asked about first."""

_QUERY = 12  # words of a passage by which others are looked for
_QUERIES = 3  # of so many words each, the most telling ones first, until one finds others
_NEAREST = 24
_TOO_ALIKE = 0.6  # share of words in common, from which two passages say much the same
_MIN_PROSE = 120  # characters of prose
_NEAR = 1500  # characters between two passages of one document that belong together anyway
_OF_A_DOCUMENT = 3  # passages of one document in a group
_REFERENCES = ("refers_to", "shares_entities", "similar")
_REFERENCE = 10.0  # what a reference counts for, beside shared words by their weight


@dataclass(frozen=True, slots=True)
class Group:
    """Passages, the first of which was chosen and the others matched to it; the words that they share, and how close
    the relation is."""

    passages: tuple[Section, ...]
    shared: tuple[str, ...]
    closeness: float


@dataclass(slots=True)
class Related:
    """Search for passages related to one, by the index of the corpus and the edges of the graph, in any language."""

    corpus: Corpus
    _frequencies: Mapping[str, int] = field(init=False, default_factory=dict)
    _passages: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._passages = frozenset(self.corpus.index.ids)

    def closest_first(self, chunk_ids: Iterable[str]) -> Iterator[Group]:
        """The groups of some passages: of each so many, the one with the closest relations first."""
        names = iter(chunk_ids)
        while window := list(islice(names, WINDOW)):
            groups = [group for name in window if (group := self.group(name)) is not None]
            yield from sorted(groups, key=lambda group: -group.closeness)

    def group(self, chunk_id: str) -> Group | None:
        """The passage with those related to it; None where there are none."""
        graph = self.corpus.graph
        home = graph.chunk(chunk_id)
        prose = self._prose(chunk_id)
        weights = self._weights(prose, home.headings)
        if not weights or characters(prose) < _MIN_PROSE:
            return None
        telling = sorted(weights, key=lambda word: (-weights[word], word))
        linked = [name for kind in _REFERENCES for name in graph.targets(chunk_id, kind) if name in self._passages]
        # The words that tell most may lead to copies alone.
        for start in range(0, _QUERIES * _QUERY, _QUERY):
            query = telling[start : start + _QUERY]
            ranked = [name for name, _ in self.corpus.index.top(" ".join(query), _NEAREST)]
            near = self._distinct(home, set(words(prose)), [*linked, *ranked], weights)
            if near:
                break
        else:
            return None
        stated = {word for chunk in near for word in words(self._prose(chunk.chunk_id))}
        shared = [word for word in query if word in stated]
        closeness = sum(weights[word] for word in shared)
        closeness += _REFERENCE * sum(chunk.chunk_id in linked for chunk in near)
        names = (chunk_id, *(chunk.chunk_id for chunk in near))
        return Group(tuple(section_of(graph, name) for name in names), tuple(shared[:5]), closeness)

    def _prose(self, chunk_id: str) -> str:
        graph = self.corpus.graph
        return "\n".join(line.text for line in lines_of(graph, section_of(graph, chunk_id)) if line.kind != "code")

    def _weights(self, text: str, headings: Sequence[str]) -> dict[str, float]:
        """Words of a passage by how well they tell it from others: frequency here, rarity in the corpus."""
        if not self._frequencies:
            self._frequencies = self.corpus.index.frequencies()
        passages = len(self.corpus.index.ids)
        counts = Counter(words(" ".join((text, *headings[-1:]))))
        return {
            word: (1 + log(count)) * log(1 + passages / self._frequencies[word])
            for word, count in counts.items()
            # A word that no other passage has leads nowhere; one that a third of them have tells nothing.
            if 2 <= self._frequencies.get(word, 0) <= max(3, passages / 3) and len(word) > 1 and not word.isdigit()
        }

    def _distinct(
        self, home: Chunk, stated: set[str], names: Sequence[str], weights: Mapping[str, float]
    ) -> list[Chunk]:
        """The first passages of those named that say something else, few of one document."""
        graph = self.corpus.graph
        language = graph.value(home.doc_id, "language")
        chosen: list[Chunk] = []
        seen = [stated]
        chunks = [graph.chunk(name) for name in dict.fromkeys(names) if name != home.chunk_id]
        for chunk in chunks:
            prose = self._prose(chunk.chunk_id)
            own = set(words(prose))
            if characters(prose) < _MIN_PROSE or graph.value(chunk.doc_id, "language") != language:
                continue
            if any(_are_neighbours(chunk, other) for other in (home, *chosen)) or not own & weights.keys():
                continue
            if sum(chunk.doc_id == other.doc_id for other in (home, *chosen)) >= _OF_A_DOCUMENT:
                continue
            if any(_alike(own, other) for other in seen):
                continue
            chosen.append(chunk)
            seen.append(own)
            if len(chosen) == MOST_TOGETHER - 1:
                break
        return chosen


def _are_neighbours(first: Chunk, other: Chunk) -> bool:
    """Test whether two passages stand so near to each other that one would be read with the other."""
    return first.doc_id == other.doc_id and max(first.start, other.start) - min(first.end, other.end) < _NEAR


def _alike(first: set[str], other: set[str]) -> bool:
    """Test whether two passages say much the same, as versions of one page do."""
    return len(first & other) > _TOO_ALIKE * min(len(first), len(other))
