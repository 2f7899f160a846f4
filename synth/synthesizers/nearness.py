"""The passages of a graph as a search finds them: for questions that none of them may answer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from synth.graph import KnowledgeGraph
from synth.records import Chunk, Entity
from synth.retrieval.bm25 import LexicalIndex
from synth.text.markup import plain
from synth.text.normalise import holds
from synth.text.sentences import split_sentences
from synth.text.tokens import content_words

SAID = 0.5
"""Share of what a question asks, beside the name of its thing, from which on a sentence may answer it."""


@lru_cache(maxsize=1)
def nearness(graph: KnowledgeGraph) -> LexicalIndex:
    """The lexical index over all passages of a graph, that of the graph last asked for being kept."""
    passages = list(graph.chunks())
    return LexicalIndex([passage.chunk_id for passage in passages], [passage.text for passage in passages])


def told_like(graph: KnowledgeGraph, question: str, entity: Entity, count: int) -> str:
    """A sentence that speaks of what `question` asks of an entity, or "".

    Looked at are the passages that name the entity and, of the `count` best by BM25, those that do so.
    """
    names = (entity.name, *entity.surface_forms)
    about = {_form(word) for name in names for word in content_words(name)}
    rest = {_form(word) for word in content_words(question)} - about
    if not rest:
        return question
    for passage in passages_naming(graph, question, entity, count):
        markdown = graph.document(passage.doc_id).metadata.get("format") == "markdown"
        text = plain(passage.text, markdown=markdown).text
        for start, end in split_sentences(text):
            said = {_form(word) for word in content_words(text[start:end])}
            if len(rest & said) >= SAID * len(rest):
                return text[start:end][:120]
    return ""


def passages_naming(graph: KnowledgeGraph, question: str, entity: Entity, count: int) -> Iterator[Chunk]:
    """The passages that mention an entity, and those that name it of the `count` best by BM25 for a question."""
    mentioning = graph.sources(entity.entity_id, "mentions")
    yield from (graph.chunk(chunk_id) for chunk_id in mentioning)
    for chunk_id, score in nearness(graph).top(question, count):
        passage = graph.chunk(chunk_id)
        if score > 0 and chunk_id not in mentioning and any(holds(passage.text, f) for f in entity.surface_forms):
            yield passage


def _form(word: str) -> str:
    return word[:5] if word.isascii() and word.isalpha() else word
