"""DeepEval: a list of goldens for `EvaluationDataset.add_goldens_from_json_file` (module deepeval.dataset)."""

from __future__ import annotations

from collections.abc import Iterator

from synth.testset.exporters.base import (
    ONE_FILE,
    Exporter,
    ExportInput,
    answer,
    evidence_texts,
    json_text,
    row_metadata,
)


class DeepEval(Exporter):
    """One JSON list of goldens. `source_file` is the document of the first piece of evidence."""

    name = "deepeval"
    suffix = ".json"
    tool = "DeepEval"
    read_by = "EvaluationDataset().add_goldens_from_json_file(FILE)"
    checked_by = "DeepEval 4.3.1"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        goldens = [
            {
                "input": sample.question,
                "expected_output": answer(sample),
                "context": evidence_texts(sample),
                "source_file": sample.evidence[0].doc_id if sample.evidence else None,
                "additional_metadata": row_metadata(sample),
            }
            for sample in export.samples
        ]
        yield ONE_FILE, json_text(goldens)
