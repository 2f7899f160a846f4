"""Pairs of passages of different documents that an edge of the graph joins, as the operators across walk them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from synth.derivation import READ
from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import PASSAGE_TOKENS, ChatEvolution, known, scenario_at
from synth.evolutions.chat_focus import Focus, by_passage, excerpt, focuses
from synth.evolutions.chat_proof import Proof
from synth.records import Chunk, Relationship, Sample, Scenario, Step
from synth.text.normalise import collapse_space, holds
from synth.writer import Material

KINDS = ("shares_entities", "references", "similar")


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of the graph as it is walked, from one passage to another, whichever way it points.

    `edge` is (source, kind, target) as the graph has it; `weight` is from 0 to 1.
    """

    source: Chunk
    target: Chunk
    edge: tuple[str, str, str]
    weight: float
    shared: tuple[str, ...]


class Across(ChatEvolution):
    """An operator on two passages of different documents; the path is the edge between them."""

    question_type: ClassVar[str] = "multi_context"

    def plan(self, material: Material) -> Iterable[Scenario]:
        groups = by_passage(focuses(material))
        planned = set()
        for link in links(material):
            for focus, worth in self.begun(link, groups, material):
                scenario = scenario_at(self, material, focus, worth, [link.target.chunk_id], link.edge)
                place = (frozenset(scenario.chunk_ids), focus.chunk.doc_id, focus.index)
                if place not in planned:
                    planned.add(place)
                    yield scenario

    @abstractmethod
    def begun(self, link: Link, groups: dict[str, list[Focus]], material: Material) -> Iterator[tuple[Focus, float]]:
        """The sentences of the first passage from which the link is walked, each with its worth."""

    def values(self, parents: Sequence[Sample], scenario: Scenario, material: Material) -> dict[str, str]:
        first, second = (material.graph.chunk(chunk_id) for chunk_id in scenario.chunk_ids)
        return {
            "first_title": self._title(first, material),
            "first": excerpt(material, first, scenario.slot, PASSAGE_TOKENS // 2),
            "second_title": self._title(second, material),
            "second": excerpt(material, second, self._near(second, scenario, material), PASSAGE_TOKENS // 2),
            "known": known(parents),
            "shared": "; ".join(shared_by(scenario, material)),
        }

    @staticmethod
    def _title(chunk: Chunk, material: Material) -> str:
        title = material.graph.document(chunk.doc_id).title
        return collapse_space(" / ".join(dict.fromkeys(filter(None, [title, *chunk.headings]))))

    @staticmethod
    def _near(chunk: Chunk, scenario: Scenario, material: Material) -> int | None:
        """The first sentence of a passage that names what the two share."""
        names = shared_by(scenario, material)
        for index, sentence in enumerate(material.readings[chunk.doc_id].sentences):
            inside = chunk.start <= sentence.start and sentence.end <= chunk.end
            if inside and any(holds(sentence.text, name) for name in names):
                return index
        return None


def links(material: Material) -> Iterator[Link]:
    """The edges between passages of two documents in one language."""
    graph, readings = material.graph, material.readings
    for kind in KINDS:
        for edge in graph.relationships(kind):
            source, target = _passage(edge.source_id, material), _passage(edge.target_id, material)
            if source is None or target is None or source.doc_id == target.doc_id:
                continue
            known_both = source.doc_id in readings and target.doc_id in readings
            if known_both and readings[source.doc_id].language == readings[target.doc_id].language:
                weight = 0.5 if kind == "references" else max(0.0, min(1.0, edge.weight))
                path = (edge.source_id, kind, edge.target_id)
                names = _names(edge)
                yield Link(source, target, path, weight, names)
                yield Link(target, source, path, weight, names)


def shared_by(scenario: Scenario, material: Material) -> tuple[str, ...]:
    """The names that the two passages of a scenario share."""
    source, kind, target = scenario.path
    edge = material.graph.relationship(source, target, kind)
    return _names(edge) if edge else ()


def needs_both(steps: tuple[Step, ...], proof: Proof) -> tuple[Step, ...] | Eliminated:
    """The steps, when they were not all read in one passage."""
    read = {proof.evidence[piece].chunk_id for step in steps if step.operation == READ for piece in step.evidence}
    return steps if len(read) > 1 else Eliminated("one passage is enough: every step was read in it")


def _names(edge: Relationship) -> tuple[str, ...]:
    return edge.shared if edge.kind == "shares_entities" else ()


def _passage(node: str, material: Material) -> Chunk | None:
    """A passage, or the first one of a document."""
    graph = material.graph
    if node in material.readings:
        return next(iter(graph.chunks_of(node)), None)
    return graph.chunk(node)
