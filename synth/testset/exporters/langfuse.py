"""Langfuse: arguments of `create_dataset_item` (docs: "Datasets", POST /api/public/dataset-items)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata


class Langfuse(RowExporter):
    """One item per line. The id holds the name of the set, since ids are unique in a project and not in a dataset."""

    name = "langfuse"
    tool = "Langfuse"
    read_by = "create_dataset_item(dataset_name=…, **row) for the JSON of each line"
    checked_by = "the signature of langfuse 5.0.4"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any]:
        return {
            "id": f"{export.name}-{sample.id}",
            "input": {"question": sample.question},
            "expected_output": {"answer": answer(sample), "contexts": evidence_texts(sample)},
            "metadata": row_metadata(sample),
        }
