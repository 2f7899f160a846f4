"""Ragas: rows of `SingleTurnSample` in the format of `EvaluationDataset.to_jsonl` (ragas/dataset_schema.py, 0.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata


class Ragas(RowExporter):
    """One sample per line. Fields unknown to Ragas are under `metadata`, which Ragas ignores."""

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
