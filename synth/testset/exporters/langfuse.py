"""Langfuse: arguments of `create_dataset_item` (docs: "Datasets", POST /api/public/dataset-items)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from synth.testset.exporters.base import Exporter, ExportInput, answer, json_lines, quotes, told


class Langfuse(Exporter):
    """One item a line. Items are upserted on their id, unique in a project: it has the name of the set in it."""

    name: ClassVar[str] = "langfuse"
    tool: ClassVar[str] = "Langfuse"
    read_by: ClassVar[str] = "create_dataset_item(dataset_name=…, **row) for the JSON of each line"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "id": f"{material.name}-{sample.id}",
                "input": {"question": sample.question},
                "expected_output": {"answer": answer(sample), "contexts": quotes(sample)},
                "metadata": told(sample),
            }
            for sample in material.samples
        )
        yield "", json_lines(rows)
