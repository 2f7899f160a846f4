"""CSV for spreadsheets (RFC 4180, in UTF-8 with a byte order mark, without which Excel reads another encoding)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import Exporter, ExportInput
from synth.text.cells import guarded

_FIRST = ("id", "question", "question_type", "language", "difficulty", "category")
_PLACE = ("evidence", "doc_id", "start", "end")


class CsvTable(Exporter):
    """One row per line; further answers and evidence have columns of their own (`answer_2`, `evidence_2`, …).

    An apostrophe is put before a cell that a spreadsheet would compute.
    """

    name = "csv"
    tool = "spreadsheets"
    read_by = "open FILE"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        answers = max([1, *(len(sample.golden_answers) for sample in material.samples)])
        pieces = max([1, *(len(sample.evidence) for sample in material.samples)])
        columns = [*_FIRST, *(f"answer{_number(n)}" for n in range(answers))]
        columns += [f"{name}{_number(n)}" for n in range(pieces) for name in _PLACE]
        text = io.StringIO(newline="")
        table = csv.DictWriter(text, columns, restval="", lineterminator="\r\n")
        table.writeheader()
        table.writerows(map(_cells, material.samples))
        yield "", text.getvalue().encode("utf-8-sig", "replace")


def _cells(sample: Sample) -> dict[str, Any]:
    cells: dict[str, Any] = {
        "id": sample.id,
        "question": sample.question,
        "question_type": sample.question_type,
        "language": sample.language,
        **{name: str(sample.metadata.get(name, "")) for name in ("difficulty", "category")},
    }
    cells.update((f"answer{_number(n)}", text) for n, text in enumerate(sample.golden_answers))
    for n, piece in enumerate(sample.evidence):
        place = (piece.text, piece.doc_id, piece.start, piece.end)
        cells.update((f"{name}{_number(n)}", value) for name, value in zip(_PLACE, place, strict=True))
    return {name: guarded(value) if isinstance(value, str) else value for name, value in cells.items()}


def _number(n: int) -> str:
    return f"_{n + 1}" if n else ""
