"""LangSmith: examples (docs: "Example data format"; langsmith.schemas.ExampleCreate)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from synth.core.extras import optional
from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata
from synth.testset.service import check_variables, reported


class LangSmith(RowExporter):
    """One example per line. Its id is a UUID derived from the row id, so that a repeated upload adds no duplicate."""

    name = "langsmith"
    tool = "LangSmith"
    read_by = "create_examples(dataset_name=…, examples=[the JSON of each line])"
    checked_by = "`ExampleCreate` of langsmith, in the tests"

    push_to = "DATASET"

    def push(self, export: ExportInput, place: str, *, public: bool = False) -> str:
        """Create the dataset `place`, or add the rows that it lacks. The key comes from LANGSMITH_API_KEY."""
        check_variables(self.tool, "LANGSMITH_API_KEY")
        with optional("uploading a set to LangSmith"):
            from langsmith import Client
        named = replace(export, name=place)
        with reported(self.tool, "LANGSMITH_API_KEY"):
            client = Client(auto_batch_tracing=False)
            known = client.has_dataset(dataset_name=place)
            dataset = client.read_dataset(dataset_name=place) if known else client.create_dataset(place)
            present = {str(example.id) for example in client.list_examples(dataset_id=dataset.id)} if known else set()
            rows = [row for sample in export.samples if (row := dict(self.row(sample, named)))["id"] not in present]
            if rows:
                client.create_examples(dataset_id=dataset.id, examples=rows)
        return f"dataset {dataset.name} ({dataset.id}) of LangSmith"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any]:
        return {
            "id": str(uuid5(NAMESPACE_URL, f"synth:{export.name}:{sample.id}")),
            "inputs": {"question": sample.question},
            "outputs": {"answer": answer(sample), "contexts": evidence_texts(sample)},
            "metadata": row_metadata(sample),
        }
