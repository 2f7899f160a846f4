"""LangSmith: examples (docs: "Example data format"; langsmith.schemas.ExampleCreate)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata


class LangSmith(RowExporter):
    """One example per line. Its id is a UUID made from the row's id, so that a second upload adds no second example."""

    name = "langsmith"
    tool = "LangSmith"
    read_by = "create_examples(dataset_name=…, examples=[the JSON of each line])"
    checked_by = "`ExampleCreate` of langsmith, in the tests"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any]:
        return {
            "id": str(uuid5(NAMESPACE_URL, f"synth:{export.name}:{sample.id}")),
            "inputs": {"question": sample.question},
            "outputs": {"answer": answer(sample), "contexts": evidence_texts(sample)},
            "metadata": row_metadata(sample),
        }
