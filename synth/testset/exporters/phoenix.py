"""Phoenix: the body of POST /v1/datasets/upload (its OpenAPI description, UploadDatasetData): three parallel lists."""

from __future__ import annotations

from collections.abc import Iterator

from synth.testset.exporters.base import Exporter, ExportInput, answer, evidence_texts, json_text, row_metadata


class Phoenix(Exporter):
    """One JSON object; the client's `create_dataset` takes its `inputs`, `outputs` and `metadata` too."""

    name = "phoenix"
    tool = "Arize Phoenix"
    read_by = "POST v1/datasets/upload?sync=true, Content-Type: application/json"
    checked_by = "the lists that its client 3.5.0 sends"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        body = {
            "action": "create",
            "name": material.name,
            "inputs": [{"question": sample.question} for sample in material.samples],
            "outputs": [{"answer": answer(sample), "contexts": evidence_texts(sample)} for sample in material.samples],
            "metadata": [row_metadata(sample) for sample in material.samples],
        }
        yield "", json_text(body)
