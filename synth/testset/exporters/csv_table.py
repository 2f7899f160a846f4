"""CSV, as spreadsheets open it (RFC 4180; UTF-8 with a mark, without which Excel takes it for another encoding)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, ClassVar

from synth.core.records import Sample
from synth.testset.exporters.base import Exporter, ExportInput
from synth.text.cells import guarded

_FIRST = ("id", "question", "question_type", "language", "difficulty", "category")
_PLACE = ("evidence", "doc_id", "start", "end")


class CsvTable(Exporter):
    """One row a line; further answers and pieces of evidence have columns of their own (`answer_2`, `evidence_2`, …).

    A cell that a spreadsheet would take for a formula has an apostrophe before it.
    """

    name: ClassVar[str] = "csv"
    tool: ClassVar[str] = "spreadsheets"
    read_by: ClassVar[str] = "open FILE"

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
