"""Phoenix: a JSON body for POST /v1/datasets/upload (schema UploadDatasetData) with three parallel lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from synth.core.extras import optional
from synth.testset.exporters.base import (
    ONE_FILE,
    Exporter,
    ExportInput,
    answer,
    evidence_texts,
    json_text,
    row_metadata,
)
from synth.testset.service import reported


class Phoenix(Exporter):
    """One JSON object. Its three lists are also the arguments of `create_dataset` in the Python client."""

    name = "phoenix"
    suffix = ".json"
    tool = "Arize Phoenix"
    read_by = "POST /v1/datasets/upload?sync=true, Content-Type: application/json"
    checked_by = "Phoenix client 3.5.0, by the lists that it sends"

    push_to = "DATASET"

    def push(self, export: ExportInput, place: str, *, public: bool = False) -> str:
        """Create the dataset `place`, or a new version of it. Environment variables of Phoenix select the server."""
        with optional("uploading a set to Phoenix"):
            from phoenix.client import Client
        with reported(self.tool, "PHOENIX_API_KEY"):
            dataset = Client().datasets.create_dataset(name=place, **_columns(export))
        return f"dataset {dataset.name} ({dataset.id}) of Phoenix"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        body = {
            "action": "create",
            "name": export.name,
            **_columns(export),
        }
        yield ONE_FILE, json_text(body)


def _columns(export: ExportInput) -> dict[str, Any]:
    """Return the rows as three parallel lists."""
    return {
        "inputs": [{"question": sample.question} for sample in export.samples],
        "outputs": [{"answer": answer(sample), "contexts": evidence_texts(sample)} for sample in export.samples],
        "metadata": [row_metadata(sample) for sample in export.samples],
    }
