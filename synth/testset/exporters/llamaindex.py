"""LlamaIndex: its two kinds of evaluation set (llama_index.core.llama_dataset and .evaluation, as of 0.14.5).

Newer releases of llama-index-core have neither class any more; the JSON is as plain as theirs was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from synth.testset.exporters.base import NEEDS_CORPUS, Exporter, ExportInput, answer, json_text, quotes, told


class LlamaIndex(Exporter):
    """Questions with reference answers and contexts: a `LabelledRagDataset`."""

    name: ClassVar[str] = "llamaindex"
    tool: ClassVar[str] = "LlamaIndex (answers)"
    read_by: ClassVar[str] = "LabelledRagDataset.from_json(FILE), to 0.14.5"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        examples = []
        for sample in material.samples:
            by = _written_by(sample.provenance.get("model"), str(sample.metadata.get("source", "synthetic")))
            examples.append(
                {
                    "query": sample.question,
                    "query_by": by,
                    "reference_contexts": quotes(sample),
                    "reference_answer": answer(sample) or "",
                    "reference_answer_by": by,
                    "metadata": told(sample),
                }
            )
        yield "", json_text({"examples": examples})


class LlamaIndexRetrieval(Exporter):
    """Queries, passages, and which passage a query is answered by: an `EmbeddingQAFinetuneDataset`.

    It has no place for answers. A query that no passage answers is left out, since it would have nothing to find.
    """

    name: ClassVar[str] = "llamaindex-retrieval"
    tool: ClassVar[str] = "LlamaIndex (retrieval)"
    read_by: ClassVar[str] = "EmbeddingQAFinetuneDataset.from_json(FILE), to 0.14.5"
    corpus: ClassVar[str] = NEEDS_CORPUS

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        relevant = {sample.id: material.relevant(sample) for sample in material.samples}
        found = {
            "queries": {sample.id: sample.question for sample in material.samples if relevant[sample.id]},
            "corpus": {passage.chunk_id: passage.text for passage in material.passages},
            "relevant_docs": {name: held for name, held in relevant.items() if held},
            "mode": "text",
        }
        yield "", json_text(found)


def _written_by(model: Any, source: str) -> dict[str, str]:
    human = source not in ("synthetic", "adopted")
    return {"model_name": str(model or "synth"), "type": "human" if human else "ai"}
