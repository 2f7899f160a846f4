"""DeepEval: a list of goldens, as `EvaluationDataset.add_goldens_from_json_file` reads it (deepeval/dataset)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from synth.testset.exporters.base import Exporter, ExportInput, answer, json_text, quotes, told


class DeepEval(Exporter):
    """One JSON list; `source_file` is the document of the first piece of evidence."""

    name: ClassVar[str] = "deepeval"
    tool: ClassVar[str] = "DeepEval"
    read_by: ClassVar[str] = "EvaluationDataset().add_goldens_from_json_file(FILE)"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        goldens = [
            {
                "input": sample.question,
                "expected_output": answer(sample),
                "context": quotes(sample),
                "source_file": sample.evidence[0].doc_id if sample.evidence else None,
                "additional_metadata": told(sample),
            }
            for sample in material.samples
        ]
        yield "", json_text(goldens)
