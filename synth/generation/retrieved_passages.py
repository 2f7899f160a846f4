"""Passages that a search of the corpus finds and that may also answer a question."""

from __future__ import annotations

from collections.abc import Iterator

from synth.core.records import Chunk, Entity
from synth.corpus.coverage import asked_words
from synth.generation.writer import WriterContext
from synth.text.normalise import holds

NAMED = 50
"""Number of search results that are examined for unread passages with a certain name."""

RIVALS = 10
"""Number of search results that are examined for unread passages that may answer a question."""


def passages_naming(material: WriterContext, question: str, entity: Entity, count: int) -> Iterator[Chunk]:
    """Yield the passages that mention an entity, and search results that contain its name.

    The search results are the `count` best passages by BM25 for the question, and the unread passages among the `NAMED`
    best for the name.
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
    """Return unread passages, among the best by BM25, that fit a question as well as its own passage.

    A passage fits as well if it contains at least the same share of the question's words, weighted by rarity.
    """
    passages = material.corpus.passages
    words = passages.rarity.known(asked_words(question))
    least = passages.rarity.share(words, passages.passage(chunk_id).stemmed)
    found = (one for one in passages.near(question, RIVALS) if passages.rarity.share(words, one.stemmed) >= least)
    chunks = (material.corpus.chunk(one.chunk_id) for one in found)
    return [chunk for chunk in chunks if not material.has_read(chunk)]
