"""Themes of what was read: communities of passages that name the same things, as nodes of the knowledge graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from synth.core.records import Entity, Relationship, digest
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import GIST, MENTIONS, RELATES

THEME, IN_THEME = "theme", "in_theme"
"""Kind of an entity that stands for a theme, and of the edge from a passage to it."""

_FEWEST = 2  # passages of a theme
_SAME_DOCUMENT = 0.5  # weight of the edge between a passage and its document; one to an entity has 1
_LONGEST = 400  # characters of the gist of a theme


def add_themes(graph: KnowledgeGraph, seed: int = 0) -> int:
    """Add the themes of the passages that were read to their graph, and return how many there are.

    Communities are those of Louvain (Blondel et al., arXiv 0803.0476) over passages, the entities that they name and
    the relations between these. A theme is named after the entity that most of its passages name, and its gist is made
    of theirs. A graph without notes has none, and themes that it has already change nothing.
    """
    passages = [chunk.chunk_id for chunk in graph.chunks() if graph.value(chunk.chunk_id, GIST)]
    edges: dict[tuple[str, str], float] = {}
    for chunk_id in passages:
        edges[chunk_id, graph.chunk(chunk_id).doc_id] = _SAME_DOCUMENT
        edges |= {(chunk_id, entity_id): 1.0 for entity_id in graph.targets(chunk_id, MENTIONS)}
    for relation in graph.relationships(RELATES):
        edges[relation.source_id, relation.target_id] = 1.0
    count = 0
    for community in graph.communities(edges, seed):
        own = [chunk_id for chunk_id in passages if chunk_id in community]
        if len(own) >= _FEWEST and (name := _name(graph, own)):
            _add(graph, name, own)
            count += 1
    return count


def theme_of(graph: KnowledgeGraph, chunk_id: str) -> str:
    """The name of the theme of a passage, or ""."""
    names = graph.targets(chunk_id, IN_THEME) if chunk_id in graph else []
    return graph.entity(names[0]).name if names else ""


def _name(graph: KnowledgeGraph, passages: Sequence[str]) -> str:
    """The entity that most of some passages name, if at least two do; "" without one."""
    named = Counter(entity_id for chunk_id in passages for entity_id in graph.targets(chunk_id, MENTIONS))
    best = max(named, key=lambda entity_id: (named[entity_id], entity_id), default="")
    return graph.entity(best).name if best and named[best] > 1 else ""


def _add(graph: KnowledgeGraph, name: str, passages: Sequence[str]) -> None:
    theme_id = "t-" + digest(THEME, *passages)[:16]
    if theme_id in graph:
        return
    graph.add_entity(Entity(entity_id=theme_id, name=name, kind=THEME, surface_forms=(name,)))
    gists = dict.fromkeys(str(graph.value(chunk_id, GIST)) for chunk_id in passages)
    gist = ""
    for one in gists:
        if gist and len(gist) + len(one) > _LONGEST:
            break
        gist = f"{gist} {one}".strip()
    graph.assign(theme_id, GIST, gist)
    for chunk_id in passages:
        graph.relate(Relationship(source_id=chunk_id, target_id=theme_id, kind=IN_THEME))
