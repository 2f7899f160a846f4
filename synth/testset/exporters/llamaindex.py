"""LlamaIndex: two kinds of evaluation set (llama_index.core.llama_dataset and .evaluation, up to 0.14.5).

Later releases of llama-index-core contain neither class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from synth.testset.exporters.base import (
    NEEDS_CORPUS,
    ONE_FILE,
    Exporter,
    ExportInput,
    answer,
    evidence_texts,
    json_text,
    row_metadata,
)


class LlamaIndex(Exporter):
    """A `LabelledRagDataset`: questions with reference answers and contexts."""

    name = "llamaindex"
    suffix = ".json"
    tool = "LlamaIndex (answers)"
    read_by = "LabelledRagDataset.from_json(FILE), to 0.14.5"
    checked_by = "llama-index-core 0.14.5"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        examples = []
        for sample in export.samples:
            author = _author(sample.provenance.get("model"), str(sample.metadata.get("source", "synthetic")))
            examples.append(
                {
                    "query": sample.question,
                    "query_by": author,
                    "reference_contexts": evidence_texts(sample),
                    "reference_answer": answer(sample) or "",
                    "reference_answer_by": author,
                    "metadata": row_metadata(sample),
                }
            )
        yield ONE_FILE, json_text({"examples": examples})


class LlamaIndexRetrieval(Exporter):
    """An `EmbeddingQAFinetuneDataset`: queries, passages, and the relevant passages of each query.

    The format has no field for answers. A query without a relevant passage is left out.
    """

    name = "llamaindex-retrieval"
    suffix = ".json"
    tool = "LlamaIndex (retrieval)"
    read_by = "EmbeddingQAFinetuneDataset.from_json(FILE), to 0.14.5"
    checked_by = "llama-index-core 0.14.5"
    corpus = NEEDS_CORPUS

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        relevant = {sample.id: export.relevant(sample) for sample in export.samples}
        dataset = {
            "queries": {sample.id: sample.question for sample in export.samples if relevant[sample.id]},
            "corpus": {passage.chunk_id: passage.text for passage in export.passages},
            "relevant_docs": {query: passages for query, passages in relevant.items() if passages},
            "mode": "text",
        }
        yield ONE_FILE, json_text(dataset)


def _author(model: Any, source: str) -> dict[str, str]:
    human = source not in ("synthetic", "adopted")
    return {"model_name": str(model or "synth"), "type": "human" if human else "ai"}
