"""Ragas: rows of `SingleTurnSample`, as `EvaluationDataset.to_jsonl` writes them (ragas/dataset_schema.py, 0.4)."""

from __future__ import annotations

from collections.abc import Iterator

from synth.testset.exporters.base import (
    ONE_FILE,
    Exporter,
    ExportInput,
    answer,
    evidence_texts,
    json_lines,
    row_metadata,
)


class Ragas(Exporter):
    """One sample per line; fields that Ragas does not know are under `metadata`, which it ignores."""

    name = "ragas"
    tool = "Ragas"
    read_by = "EvaluationDataset.from_jsonl(FILE)"
    checked_by = "Ragas 0.4.3"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "user_input": sample.question,
                "reference": answer(sample),
                "reference_contexts": evidence_texts(sample),
                "metadata": row_metadata(sample),
            }
            for sample in export.samples
        )
        yield ONE_FILE, json_lines(rows)
