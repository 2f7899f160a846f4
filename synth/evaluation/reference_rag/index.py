"""A corpus that can be asked for passages: chunks under a retriever and a reranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from synth.core.records import Chunk, Evidence
from synth.evaluation.reference_rag.reranking import reranker
from synth.evaluation.reference_rag.retrieving import retriever
from synth.models.encoders.base import Encoder
from synth.retrieval.base import Passages, ScoredId

POOL = 50
"""Passages that a reranker is given."""


class Index:
    """Chunks, found by a retriever and put in order by a reranker; both by name. `encoder` opens the encoder."""

    def __init__(self, chunks: Sequence[Chunk], by: str, then: str, encoder: Callable[[], Encoder]) -> None:
        self.chunks = {chunk.chunk_id: chunk for chunk in chunks}
        self._retriever = retriever(
            by, Passages(tuple(self.chunks), tuple(one.text for one in self.chunks.values())), encoder
        )
        self._reranker = reranker(then, encoder)
        self._documents: dict[str, list[Chunk]] = {}
        for chunk in chunks:
            self._documents.setdefault(chunk.doc_id, []).append(chunk)

    def search(self, query: str, k: int) -> list[ScoredId]:
        """At most `k` chunks by id with their scores, best first."""
        if self._reranker is None:
            return self._retriever.search(query, k)
        pool = self._retriever.search(query, max(k, POOL))
        scores = self._reranker.scores(query, [self.chunks[id].text for id, _ in pool]) if pool else []
        ranked = [(id, score) for (id, _), score in zip(pool, scores, strict=True)]
        return sorted(ranked, key=lambda one: (-one[1], one[0]))[:k]

    def holding(self, evidence: Sequence[Evidence]) -> list[Chunk]:
        """The chunks that hold evidence, in its order, each once."""
        found: dict[str, Chunk] = {}
        for piece in evidence:
            for chunk in self._documents.get(piece.doc_id, ()):
                if chunk.start < piece.end and piece.start < chunk.end:
                    found[chunk.chunk_id] = chunk
        return list(found.values())
