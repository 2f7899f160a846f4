"""Ragas: rows of `SingleTurnSample`, as `EvaluationDataset.to_jsonl` writes them (ragas/dataset_schema.py, 0.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from synth.testset.exporters.base import Exporter, ExportInput, answer, json_lines, quotes, told


class Ragas(Exporter):
    """One sample a line; what Ragas does not know stands under `metadata`, which it passes over."""

    name: ClassVar[str] = "ragas"
    tool: ClassVar[str] = "Ragas"
    read_by: ClassVar[str] = "EvaluationDataset.from_jsonl(FILE)"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "user_input": sample.question,
                "reference": answer(sample),
                "reference_contexts": quotes(sample),
                "metadata": told(sample),
            }
            for sample in material.samples
        )
        yield "", json_lines(rows)
