"""Langfuse: arguments of `create_dataset_item` (docs: "Datasets", POST /api/public/dataset-items)."""

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


class Langfuse(Exporter):
    """One item per line. The id holds the name of the set, since ids are unique in a project and not in a dataset."""

    name = "langfuse"
    tool = "Langfuse"
    read_by = "create_dataset_item(dataset_name=…, **row) for the JSON of each line"
    checked_by = "the signature of langfuse 5.0.4"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "id": f"{export.name}-{sample.id}",
                "input": {"question": sample.question},
                "expected_output": {"answer": answer(sample), "contexts": evidence_texts(sample)},
                "metadata": row_metadata(sample),
            }
            for sample in export.samples
        )
        yield ONE_FILE, json_lines(rows)
