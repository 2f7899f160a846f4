"""Pipelines of the reference RAG system: retrieval always, on demand, never, or replaced by the gold passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synth.core.checks import check_known, check_numbers, check_range
from synth.core.records import Chunk
from synth.corpus.documents.chunking import ChunkSettings
from synth.evaluation.reference_rag.answering import ChatAnswerer, Generator
from synth.evaluation.reference_rag.index import Index
from synth.evaluation.reference_rag.reranking import NONE
from synth.models.chat.base import RequestFailed, Steps
from synth.retrieval.base import MOST_PASSAGES, ScoredId
from synth.testset.dataset import Item

SEQUENTIAL, CONDITIONAL, NO_RETRIEVAL, ORACLE = "sequential", "conditional", "none", "oracle"
PIPELINES = (SEQUENTIAL, CONDITIONAL, NO_RETRIEVAL, ORACLE)
NEED_MODEL = (CONDITIONAL, NO_RETRIEVAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """Settings of the system.

    The system retrieves and reports `depth` passages. The generator gets the best `k` of them. `pipeline` is one of
    four:

    - sequential: retrieve, then answer.
    - conditional: a judge decides whether to retrieve.
    - none: no retrieval.
    - oracle: the chunks with the row's evidence replace the retrieved ones.
    """

    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    retriever: str = "bm25"
    reranker: str = NONE
    k: int = 5
    depth: int = 10
    pipeline: str = SEQUENTIAL

    def __post_init__(self) -> None:
        check_numbers(self)
        check_range("k", self.k, 1, MOST_PASSAGES)
        check_range("depth", self.depth, 1, MOST_PASSAGES)
        check_known("pipeline", self.pipeline, PIPELINES)

    @property
    def title(self) -> str:
        """Short name of the settings."""
        by = self.retriever + ("" if self.reranker == NONE else f" + {self.reranker}")
        overlap = f"+{self.chunks.overlap}" if self.chunks.overlap else ""
        kind = "" if self.chunks.strategy == "recursive" else f" {self.chunks.strategy}"
        return f"{by}, {self.chunks.size}{overlap}{kind}, top {self.k}"


def respond(item: Item, system: System, index: Index, generator: Generator | None) -> Steps[Mapping[str, Any]]:
    """Return the response to a row, in the format of a file of responses.

    Without a generator, the response contains only the retrieved passages. If a request fails, the row has no answer,
    and `failed` is the reason.
    """
    row: dict[str, Any] = {"id": item.id, "question": item.question}
    try:
        retrieve = True
        if system.pipeline == CONDITIONAL and isinstance(generator, ChatAnswerer):
            retrieve = yield from generator.wants(item.question)
        hits = _hits(item, system, index) if retrieve and system.pipeline != NO_RETRIEVAL else []
        chunks = [index.chunks[id] for id, _ in hits]
        used = chunks if system.pipeline == ORACLE else chunks[: system.k]
        scored = zip(hits, chunks, strict=True)
        row["retrieved"] = [{**_place(chunk), "score": round(score, 6)} for (_, score), chunk in scored]
        row["contexts"] = [{**_place(chunk), "text": chunk.text} for chunk in used]
        if generator is not None:
            row["answer"] = yield from generator.answer(item.question, [chunk.text for chunk in used])
    except RequestFailed as failure:
        row["failed"] = str(failure)
    return row


def _hits(item: Item, system: System, index: Index) -> Sequence[ScoredId]:
    if system.pipeline == ORACLE:
        return [(chunk.chunk_id, 1.0) for chunk in index.holding(item.evidence)]
    return index.search(item.question, max(system.k, system.depth))


def _place(chunk: Chunk) -> dict[str, Any]:
    return {"id": chunk.chunk_id, "doc_id": chunk.doc_id, "start": chunk.start, "end": chunk.end}
