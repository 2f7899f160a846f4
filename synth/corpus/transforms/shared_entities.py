"""Shared entities: chunks that name the same things, joined by the rarest of them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING, Any

from synth.core.checks import check_least, check_share
from synth.core.records import Entity, Relationship
from synth.corpus.analysis.pruning import strongest
from synth.corpus.analysis.salience import Traits, about, binding, folded
from synth.corpus.transforms.base import Transform
from synth.text.tokens import count_tokens

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph

KIND = "shares_entities"
_LEAST_RARITY = 0.02
_LEAST_WEIGHT = 0.001
_ENTITIES_WALKED = 8
_COMMON = 0.45  # below this rarity a passage is about an entity only as far as it names little else
_OPENING = 40  # characters


@dataclass(frozen=True)
class SharedEntities(Transform):
    """Passages that name the same things; the rarer these are, the stronger the edge, at most ten edges each.

    Assigns edges "shares_entities" between chunks, at most `k` at a chunk. Two chunks are joined when the confidence
    that their shared entities bind them is at least `min_confidence`: when both are about an entity, when an entity is
    rare, or when there are several (`salience`). An entity that every chunk names joins only the chunks that are about
    it.

    The rarity of an entity is its squared inverse document frequency, from 1 for an entity of two chunks down to
    nearly 0 for one of all chunks. Each shared entity takes up to half its rarity off the difference of the weight
    to 1. The weight of two chunks of one document is multiplied by `same_document`, since paths between documents are
    harder to find. Edges below the share `beside_best` of the best weight at one of their ends are dropped. `shared`
    names the entities, the rarest first.

    Not all pairs are compared: for each entity that a chunk names, it meets the `walked` chunks nearest in the list of
    the entity. The list begins with the chunks that are about the entity and alternates between documents, so that an
    entity of every chunk costs no more than any other.
    """

    name = "shared_entities"
    requires = ("chunk.entities",)
    assigns = ("chunk.shares_entities",)

    k: int = 10
    walked: int = 32
    same_document: float = 0.5
    beside_best: float = 0.35
    min_confidence: float = 0.3

    def __post_init__(self) -> None:
        check_least("shared_entities: k", self.k, 1)
        check_least("shared_entities: walked", self.walked, 2)
        for name in ("same_document", "beside_best", "min_confidence"):
            check_share(f"shared_entities: {name}", getattr(self, name))

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        index = _Index(graph)
        first, second, weights = array("q"), array("q"), array("d")
        for chunk in range(len(index.ids)):
            for other, weight in self._partners(index, chunk):
                first.append(chunk)
                second.append(other)
                weights.append(weight)
        for a, b, weight in strongest([(first, second, weights)], index.ids, self.k):
            names = tuple(graph.entity(entity).name for entity in index.shared(a, b))
            graph.relate(
                Relationship(source_id=index.ids[a], target_id=index.ids[b], kind=KIND, weight=weight, shared=names)
            )

    def _partners(self, index: _Index, chunk: int) -> list[tuple[int, float]]:
        """The best partners of a chunk among those it meets, up to twice as many as it may keep."""
        scores: dict[int, float] = {}
        steps_left = _ENTITIES_WALKED * self.walked
        for entity in index.entities[chunk]:
            rarity = index.rarity[entity]
            aboutness = index.about[entity]
            for other in index.near(entity, chunk, self.walked):
                scores[other] = scores.get(other, 0.0) + rarity * aboutness[other]
                steps_left -= 1
            if steps_left <= 0:
                break
        document = index.documents[chunk]
        for other in scores:
            if index.documents[other] == document:
                scores[other] *= self.same_document
        likely = sorted(scores, key=scores.__getitem__, reverse=True)[: 2 * self.k]
        weighed = [(other, self._weight(index, chunk, other)) for other in likely]
        least = self.beside_best * max((weight for _, weight in weighed), default=0.0)
        return [(other, weight) for other, weight in weighed if weight > 0 and weight >= least]

    def _weight(self, index: _Index, a: int, b: int) -> float:
        """Weight of the edge between two chunks; 0 when their shared entities do not bind them."""
        # Each shared entity lessens the difference of the weight to 1, and the doubt that the two belong together.
        difference = doubt = 1.0
        for entity in index.shared_numbers(a, b):
            here, there = index.about[entity][a], index.about[entity][b]
            doubt *= 1 - index.binding(entity, here, there)
            difference *= 1 - index.rarity[entity] * sqrt(here * there) / 2
        if 1 - doubt < self.min_confidence:
            return 0.0
        factor = self.same_document if index.documents[a] == index.documents[b] else 1.0
        return round(max(1 - difference, _LEAST_WEIGHT) * factor, 4)


class _Index:
    """The mentions of a graph in both directions, chunks and entities as numbers."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph
        self.ids: list[str] = []
        self.documents: list[str] = []
        self._spans: list[tuple[int, int]] = []
        self._tokens: list[int] = []
        self._titles: list[tuple[str, ...]] = []
        for chunk in graph.chunks():
            self.ids.append(chunk.chunk_id)
            self.documents.append(chunk.doc_id)
            self._spans.append((chunk.start, chunk.end))
            self._tokens.append(count_tokens(chunk.text))
            titles = (*chunk.headings[-2:], graph.document(chunk.doc_id).title)
            self._titles.append(tuple(folded(title) for title in titles if title))
        self._names: list[str] = []
        self._traits: list[Traits] = []
        self._chunks: list[list[int]] = []
        self._places: list[dict[int, int]] = []
        self.about: list[dict[int, float]] = []
        self._add_entities(graph)
        self.rarity = [_rarity(len(chunks), len(self.ids)) for chunks in self._chunks]
        self.entities: list[list[int]] = [[] for _ in self.ids]
        for entity in sorted(range(len(self._chunks)), key=lambda e: (len(self._chunks[e]), self._names[e])):
            for chunk_index in self._chunks[entity]:
                self.entities[chunk_index].append(entity)

    def _add_entities(self, graph: KnowledgeGraph) -> None:
        index_of = {chunk_id: n for n, chunk_id in enumerate(self.ids)}
        mentions = [0] * len(self.ids)
        shared: list[tuple[Entity, dict[int, tuple[int, int]]]] = []
        for entity in graph.entities():
            places = {}
            for chunk_id in graph.sources(entity.entity_id, "mentions"):
                spans = graph.spans(chunk_id, entity.entity_id, "mentions")
                places[index_of[chunk_id]] = len(spans), spans[0][0] if spans else 0
                mentions[index_of[chunk_id]] += len(spans)
            if len(places) > 1:
                shared.append((entity, places))
        for entity, places in shared:
            traits = Traits.of(entity)
            common = sqrt(_rarity(len(places), len(self.ids))) < _COMMON
            weighed = {}
            for n, (times, first) in places.items():
                weight = self._about(traits, n, times, first, mentions[n])
                weighed[n] = min(weight, times / mentions[n]) if common else weight
            chunks = self._by_document_in_turn(weighed)
            self._names.append(entity.entity_id)
            self._traits.append(traits)
            self._chunks.append(chunks)
            self._places.append({chunk: place for place, chunk in enumerate(chunks)})
            self.about.append(weighed)

    def _about(self, traits: Traits, chunk: int, times: int, first: int, mentions: int) -> float:
        opens = first - self._spans[chunk][0] < _OPENING and not traits.broad
        titled = traits.in_title(self._titles[chunk])
        return about(times, self._tokens[chunk], mentions, opens=opens, titled=titled)

    def _by_document_in_turn(self, weighed: Mapping[int, float]) -> list[int]:
        """Chunks of an entity: those that are about it first, and among these one of every document in turn."""
        counts: Counter[tuple[int, str]] = Counter()
        turns = []
        for chunk, weight in weighed.items():
            tier = -round(2 * weight)
            turns.append((tier, counts[tier, self.documents[chunk]], chunk))
            counts[tier, self.documents[chunk]] += 1
        return [chunk for *_, chunk in sorted(turns)]

    def binding(self, entity: int, here: float, there: float) -> float:
        """Confidence that an entity binds two chunks that are about it to the degrees `here` and `there`."""
        return binding(self._traits[entity], sqrt(self.rarity[entity]), here, there)

    def near(self, entity: int, chunk: int, count: int) -> Iterator[int]:
        """The `count` chunks nearest to a chunk in the list of an entity, which is read as a ring; nearest first."""
        chunks = self._chunks[entity]
        place = self._places[entity][chunk]
        if len(chunks) <= count + 1:
            yield from chunks[place + 1 :]
            yield from chunks[:place]
            return
        for step in range(1, count // 2 + 1):
            yield chunks[(place + step) % len(chunks)]
            yield chunks[place - step]

    def shared_numbers(self, a: int, b: int) -> list[int]:
        """Entities of both chunks, the rarest first; of overlapping chunks, each must have a mention of its own."""
        theirs = set(self.entities[b])
        both = [entity for entity in self.entities[a] if entity in theirs]
        return [entity for entity in both if self._each_has_own_mention(entity, a, b)] if self._overlap(a, b) else both

    def shared(self, a: int, b: int) -> Sequence[str]:
        """Ids of the entities of both chunks, the rarest first."""
        return [self._names[entity] for entity in self.shared_numbers(a, b)]

    def _overlap(self, a: int, b: int) -> bool:
        (start, end), (other_start, other_end) = self._spans[a], self._spans[b]
        return self.documents[a] == self.documents[b] and start < other_end and other_start < end

    def _each_has_own_mention(self, entity: int, a: int, b: int) -> bool:
        ours, theirs = (set(self._graph.spans(self.ids[n], self._names[entity], "mentions")) for n in (a, b))
        return bool(ours - theirs and theirs - ours)


def _rarity(mentioning: int, chunks: int) -> float:
    return max(_LEAST_RARITY, (log((chunks + 1) / mentioning) / log((chunks + 1) / 2)) ** 2)
