"""Hugging Face: a dataset folder of Parquet files and a card (docs: "Data files configuration", "Dataset cards")."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from synth.core.extras import optional
from synth.core.jsonl import dumps, sample_to_row
from synth.testset.exporters.base import MAY_HAVE_CORPUS, Exporter, ExportInput, utf8
from synth.testset.hub import ROWS, check_repository, push

_SPLIT = "test"


class HuggingFace(Exporter):
    """Rows in the split `test`, with metadata as JSON text. Passages of a corpus form a second configuration.

    The original rows are included as `testset.jsonl`, so that synth can read the set.
    """

    name = "huggingface"
    tool = "Hugging Face datasets"
    read_by = 'load_dataset(FOLDER, split="test"); passages: (FOLDER, "corpus")'
    checked_by = "datasets 5.2.0; pyarrow, in the tests"
    folder = True
    corpus = MAY_HAVE_CORPUS

    push_to = "OWNER/NAME"

    def check_push(self, place: str) -> None:
        check_repository(place)

    def push(self, export: ExportInput, place: str, *, public: bool = False) -> str:
        """Write the files to a dataset repository. A missing repository is created, private unless `public` is true."""
        return push(dict(self.files(export)), place, public=public)

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        parts = {"data": "default", **({"corpus": "corpus"} if export.passages else {})}
        yield "README.md", utf8(_card(export, parts))
        yield f"data/{_SPLIT}-00000-of-00001.parquet", _parquet(map(_row, map(sample_to_row, export.samples)), _ROWS)
        yield ROWS, utf8("".join(dumps(sample_to_row(sample)) + "\n" for sample in export.samples))
        if export.passages:
            passages = ({**row, **row.pop("metadata")} for row in export.passage_rows())
            yield f"corpus/{_SPLIT}-00000-of-00001.parquet", _parquet(passages, _PASSAGES)


_EVIDENCE = {"doc_id": "", "doc_hash": "", "chunk_id": "", "start": 0, "end": 0, "text": ""}
_ROWS = {
    "id": "",
    "question": "",
    "golden_answers": [""],
    "evidence": [_EVIDENCE],
    "question_type": "",
    "language": "",
    "difficulty": "",
    "category": "",
    "metadata": "",
}
_PASSAGES = {"_id": "", "title": "", "text": "", "doc_id": "", "start": 0, "end": 0}


def _row(row: dict[str, Any]) -> dict[str, Any]:
    metadata = row["metadata"]
    named = ("question_type", "language", "difficulty", "category")
    return {
        **row,
        **{name: str(metadata.get(name, "")) for name in named},
        "metadata": json.dumps(metadata, ensure_ascii=False, sort_keys=True),
    }


def _parquet(rows: Iterable[Any], example: dict[str, Any]) -> bytes:
    """Return rows as Parquet. The keys of `example` are the columns, and its values determine their types."""
    with optional("the format 'huggingface'"):
        import pyarrow as arrow
        from pyarrow import parquet
    schema = arrow.schema([(name, _type(arrow, value)) for name, value in example.items()])
    target = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist([_encodable(row) for row in rows], schema=schema), target)
    return target.getvalue()


def _encodable(value: Any) -> Any:
    """Replace lone surrogates, which UTF-8 cannot encode, by question marks in all texts of a value."""
    if isinstance(value, str):
        return utf8(value).decode()
    if isinstance(value, dict):
        return {name: _encodable(inner) for name, inner in value.items()}
    return [_encodable(inner) for inner in value] if isinstance(value, list | tuple) else value


def _type(arrow: Any, value: Any) -> Any:
    if isinstance(value, list):
        return arrow.list_(_type(arrow, value[0]))
    if isinstance(value, dict):
        return arrow.struct([(name, _type(arrow, inner)) for name, inner in value.items()])
    return arrow.int64() if isinstance(value, int) else arrow.string()


def _card(export: ExportInput, parts: dict[str, str]) -> str:
    """Return the dataset card: front matter that lists the data files, and a short description."""
    languages = sorted({sample.language.partition("-")[0] for sample in export.samples} & {"en", "zh"})
    lines = ["---", *(["language:", *(f"- {name}" for name in languages)] if languages else [])]
    lines += ["task_categories:", "- question-answering", "configs:"]
    for folder, config in parts.items():
        lines += [
            f"- config_name: {config}",
            "  data_files:",
            f"  - split: {_SPLIT}",
            f"    path: {folder}/{_SPLIT}-*.parquet",
        ]
    lines += ["---", f"# {export.name}", "", f"{len(export.samples)} questions with golden answers, and the exact"]
    return "\n".join([*lines, "characters of the documents that prove them (`evidence`). Made with synth.", ""])
