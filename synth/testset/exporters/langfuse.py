"""Langfuse: arguments of `create_dataset_item` (docs: "Datasets", POST /api/public/dataset-items)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from synth.core.extras import optional
from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata
from synth.testset.service import check_variables, reported


class Langfuse(RowExporter):
    """One item per line. The id includes the set name, because Langfuse ids must be unique in the whole project."""

    name = "langfuse"
    tool = "Langfuse"
    read_by = "create_dataset_item(dataset_name=…, **row) for the JSON of each line"
    checked_by = "the signature of langfuse 5.0.4"

    push_to = "DATASET"

    def push(self, export: ExportInput, place: str, *, public: bool = False) -> str:
        """Create the dataset `place`, or update its items to the rows. The keys come from the environment."""
        check_variables(self.tool, "LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")
        with optional("uploading a set to Langfuse"):
            from langfuse import Langfuse as Client
        named = replace(export, name=place)
        with reported(self.tool, "LANGFUSE_SECRET_KEY"):
            client = Client(tracing_enabled=False)
            dataset = client.create_dataset(name=place)
            for sample in export.samples:
                client.create_dataset_item(dataset_name=place, **self.row(sample, named))
        return f"dataset {dataset.name} ({dataset.id}) of Langfuse"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any]:
        return {
            "id": f"{export.name}-{sample.id}",
            "input": {"question": sample.question},
            "expected_output": {"answer": answer(sample), "contexts": evidence_texts(sample)},
            "metadata": row_metadata(sample),
        }
