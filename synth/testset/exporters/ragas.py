"""Ragas: rows of `SingleTurnSample`, as `EvaluationDataset.to_jsonl` writes them (ragas/dataset_schema.py, 0.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata


class Ragas(RowExporter):
    """One sample per line; fields that Ragas does not know are under `metadata`, which it ignores."""

    name = "ragas"
    tool = "Ragas"
    read_by = "EvaluationDataset.from_jsonl(FILE)"
    checked_by = "Ragas 0.4.3"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any]:
        return {
            "user_input": sample.question,
            "reference": answer(sample),
            "reference_contexts": evidence_texts(sample),
            "metadata": row_metadata(sample),
        }
