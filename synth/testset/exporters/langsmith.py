"""LangSmith: examples (docs: "Example data format"; langsmith.schemas.ExampleCreate)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar
from uuid import NAMESPACE_URL, uuid5

from synth.testset.exporters.base import Exporter, ExportInput, answer, json_lines, quotes, told


class LangSmith(Exporter):
    """One example a line. The id is a UUID made of that of the row, so that a second upload makes no second one."""

    name: ClassVar[str] = "langsmith"
    tool: ClassVar[str] = "LangSmith"
    read_by: ClassVar[str] = "create_examples(dataset_name=…, examples=[the JSON of each line])"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "id": str(uuid5(NAMESPACE_URL, f"synth:{material.name}:{sample.id}")),
                "inputs": {"question": sample.question},
                "outputs": {"answer": answer(sample), "contexts": quotes(sample)},
                "metadata": told(sample),
            }
            for sample in material.samples
        )
        yield "", json_lines(rows)
