"""The passages of a graph as a search finds them: for questions that none of them may answer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from synth.core.records import Chunk, Entity
from synth.corpus.graph import KnowledgeGraph
from synth.retrieval.bm25 import LexicalIndex
from synth.text.normalise import holds


@lru_cache(maxsize=1)
def nearness(graph: KnowledgeGraph) -> LexicalIndex:
    """The lexical index over all passages of a graph, that of the graph last asked for being kept."""
    passages = list(graph.chunks())
    return LexicalIndex([passage.chunk_id for passage in passages], [passage.text for passage in passages])


def passages_naming(graph: KnowledgeGraph, question: str, entity: Entity, count: int) -> Iterator[Chunk]:
    """The passages that mention an entity, and those that name it of the `count` best by BM25 for a question."""
    mentioning = graph.sources(entity.entity_id, "mentions")
    yield from (graph.chunk(chunk_id) for chunk_id in mentioning)
    for chunk_id, score in nearness(graph).top(question, count):
        passage = graph.chunk(chunk_id)
        if score > 0 and chunk_id not in mentioning and any(holds(passage.text, f) for f in entity.surface_forms):
            yield passage
