"""Index of a corpus: chunks with a retriever and a reranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from synth.core.plugins import pick
from synth.core.records import Chunk, Evidence
from synth.evaluation.reference_rag.reranking import reranker
from synth.models.encoders.base import Encoder
from synth.retrieval.base import Passages, Retriever, ScoredId
from synth.retrieval.bm25 import Bm25
from synth.retrieval.dense import Dense
from synth.retrieval.fusion import Fused


def _bm25(passages: Passages, _: Callable[[], Encoder]) -> Retriever:
    return Bm25(passages)


def _encoder(passages: Passages, encoder: Callable[[], Encoder]) -> Retriever:
    return Dense(passages, encoder())


def _hybrid(passages: Passages, encoder: Callable[[], Encoder]) -> Retriever:
    return Fused((Bm25(passages), Dense(passages, encoder())))


RETRIEVERS = {"bm25": _bm25, "encoder": _encoder, "hybrid": _hybrid}


def retriever(name: str, passages: Passages, encoder: Callable[[], Encoder]) -> Retriever:
    """Return the retriever with this name over passages.

    Raises ConfigError, listing the known names, for an unknown name.
    """
    return pick(RETRIEVERS, name, "retriever")(passages, encoder)


POOL = 50
"""Number of passages that a reranker scores."""


class Index:
    """Chunks that a retriever searches and a reranker reorders.

    `by` is the name of the retriever, `then` the name of the reranker. `encoder` loads the encoder when it is needed.
    """

    def __init__(self, chunks: Sequence[Chunk], by: str, then: str, encoder: Callable[[], Encoder]) -> None:
        self.chunks = {chunk.chunk_id: chunk for chunk in chunks}
        self._retriever = retriever(
            by, Passages(tuple(self.chunks), tuple(chunk.text for chunk in self.chunks.values())), encoder
        )
        self._reranker = reranker(then, encoder)
        self._documents: dict[str, list[Chunk]] = {}
        for chunk in chunks:
            self._documents.setdefault(chunk.doc_id, []).append(chunk)

    def search(self, query: str, k: int) -> list[ScoredId]:
        """Return at most `k` chunk ids with their scores, best first."""
        if self._reranker is None:
            return self._retriever.search(query, k)
        pool = self._retriever.search(query, max(k, POOL))
        scores = self._reranker.scores(query, [self.chunks[id].text for id, _ in pool]) if pool else []
        ranked = [(id, score) for (id, _), score in zip(pool, scores, strict=True)]
        return sorted(ranked, key=lambda scored: (-scored[1], scored[0]))[:k]

    def holding(self, evidence: Sequence[Evidence]) -> list[Chunk]:
        """Return the distinct chunks that overlap the evidence, in the order of the evidence."""
        chunks: dict[str, Chunk] = {}
        for piece in evidence:
            for chunk in self._documents.get(piece.doc_id, ()):
                if chunk.start < piece.end and piece.start < chunk.end:
                    chunks[chunk.chunk_id] = chunk
        return list(chunks.values())
