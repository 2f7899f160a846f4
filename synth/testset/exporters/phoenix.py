"""Phoenix: the body of POST /v1/datasets/upload (its OpenAPI description, UploadDatasetData): three parallel lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from synth.testset.exporters.base import Exporter, ExportInput, answer, json_text, quotes, told


class Phoenix(Exporter):
    """One JSON object; `inputs`, `outputs` and `metadata` are also what the client's `create_dataset` takes."""

    name: ClassVar[str] = "phoenix"
    tool: ClassVar[str] = "Arize Phoenix"
    read_by: ClassVar[str] = "POST v1/datasets/upload?sync=true, Content-Type: application/json"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        body = {
            "action": "create",
            "name": material.name,
            "inputs": [{"question": sample.question} for sample in material.samples],
            "outputs": [{"answer": answer(sample), "contexts": quotes(sample)} for sample in material.samples],
            "metadata": [told(sample) for sample in material.samples],
        }
        yield "", json_text(body)
