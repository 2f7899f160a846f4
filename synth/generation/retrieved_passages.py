"""Passages of the corpus as a search finds them: those that may answer a question as well."""

from __future__ import annotations

from collections.abc import Iterator

from synth.core.records import Chunk, Entity
from synth.corpus.coverage import asked_words
from synth.generation.writer import WriterContext
from synth.text.normalise import holds

NAMED = 50
"""Passages of unread documents that are looked through for a name."""

RIVALS = 10
"""Passages of a search in which those of unread documents are looked for that may answer a question."""


def passages_naming(material: WriterContext, question: str, entity: Entity, count: int) -> Iterator[Chunk]:
    """The passages that mention an entity, and those that name it among the best by BM25.

    These are the `count` best for a question, and of documents that are not read the best for the name.
    """
    corpus, graph = material.corpus, material.graph
    mentioning = graph.sources(entity.entity_id, "mentions")
    yield from (corpus.chunk(chunk_id) for chunk_id in mentioning)
    found = corpus.index.top(question, count)
    found += [(name, score) for name, score in corpus.index.top(entity.name, NAMED) if name not in graph]
    for chunk_id, _ in found:
        passage = corpus.chunk(chunk_id)
        if chunk_id not in mentioning and any(holds(passage.text, f) for f in entity.surface_forms):
            yield passage


def rival_passages(material: WriterContext, question: str, chunk_id: str) -> list[Chunk]:
    """Unread passages that fit a question as well as its own, of the best by BM25."""
    passages = material.corpus.passages
    words = passages.rarity.known(asked_words(question))
    least = passages.rarity.share(words, passages.passage(chunk_id).stemmed)
    found = (one for one in passages.near(question, RIVALS) if passages.rarity.share(words, one.stemmed) >= least)
    chunks = (material.corpus.chunk(one.chunk_id) for one in found)
    return [chunk for chunk in chunks if not material.has_read(chunk)]
