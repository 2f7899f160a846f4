"""Phoenix: a JSON body for POST /v1/datasets/upload (schema UploadDatasetData), with three parallel lists."""

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


class Phoenix(Exporter):
    """One JSON object. Its three lists can also be passed to `create_dataset` of the Python client."""

    name = "phoenix"
    tool = "Arize Phoenix"
    read_by = "POST /v1/datasets/upload?sync=true, Content-Type: application/json"
    checked_by = "Phoenix client 3.5.0, by the lists that it sends"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        body = {
            "action": "create",
            "name": export.name,
            "inputs": [{"question": sample.question} for sample in export.samples],
            "outputs": [{"answer": answer(sample), "contexts": evidence_texts(sample)} for sample in export.samples],
            "metadata": [row_metadata(sample) for sample in export.samples],
        }
        yield ONE_FILE, json_text(body)
