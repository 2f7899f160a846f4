"""What each chunk states, as the grammar reads it: facts, and the entities that they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth.grammar.facts import facts
from synth.records import Fact, Relationship
from synth.transforms.base import Transform
from synth.transforms.mentions.names import key

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.graph import KnowledgeGraph
    from synth.records import Chunk


@dataclass(frozen=True)
class Facts(Transform):
    """Assigns to each chunk the facts that its sentences state, as nodes of their own.

    A fact of several sentences is stated by the chunk of the last one: those before it only say what
    a pronoun stands for. An edge "about" leads to the entity that its subject or its object names;
    `shared` says which of the two.
    """

    name = "facts"
    requires = ("chunk.text", "document.language", "chunk.entities")
    assigns = ("chunk.facts",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
        return [{k: v for k, v in fact.packed().items() if k != "doc_id"} for fact in facts(reading)]

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, list[dict[str, Any]]]) -> None:
        named = {key(form): entity.entity_id for entity in graph.entities() for form in entity.surface_forms}
        for doc_id, rows in artifacts.items():
            for row in rows:
                fact = Fact.unpacked({**row, "doc_id": doc_id})
                start, end = fact.spans[-1]
                chunk = graph.chunk_at(doc_id, start, end) or graph.chunk_at(doc_id, start)
                if chunk is not None:
                    graph.add_fact(fact, chunk.chunk_id)
                    _link(graph, fact, named)


def _link(graph: KnowledgeGraph, fact: Fact, named: Mapping[str, str]) -> None:
    roles: dict[str, list[str]] = {}
    for role, term in (("subject", fact.subject), ("object", fact.object)):
        entity = named.get(key(term.text)) if term else None
        if entity:
            roles.setdefault(entity, []).append(role)
    for entity, of in roles.items():
        graph.relate(Relationship(source_id=fact.fact_id, target_id=entity, kind="about", shared=tuple(of)))
