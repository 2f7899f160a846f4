"""CSV for spreadsheets (RFC 4180, UTF-8 with a byte order mark). Excel needs the mark to recognise UTF-8."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import ONE_FILE, Exporter, ExportInput
from synth.text.cells import guarded

_FIELDS = ("id", "question", "question_type", "language")
_METADATA = ("difficulty", "category")
_EVIDENCE = {"evidence": "text", "doc_id": "doc_id", "start": "start", "end": "end"}
"""Map from column names to fields of the evidence."""


class CsvTable(Exporter):
    """One row per line. Further answers and evidence have their own columns ("answer_2", "evidence_2", …).

    A cell that a spreadsheet would read as a formula starts with an apostrophe.
    """

    name = "csv"
    suffix = ".csv"
    tool = "spreadsheets"
    read_by = "open FILE"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        answers = max([1, *(len(sample.golden_answers) for sample in export.samples)])
        pieces = max([1, *(len(sample.evidence) for sample in export.samples)])
        columns = [*_FIELDS, *_METADATA, *(f"answer{_suffix(n)}" for n in range(answers))]
        columns += [f"{name}{_suffix(n)}" for n in range(pieces) for name in _EVIDENCE]
        text = io.StringIO(newline="")
        table = csv.DictWriter(text, columns, restval="", lineterminator="\r\n")
        table.writeheader()
        table.writerows(map(_cells, export.samples))
        yield ONE_FILE, text.getvalue().encode("utf-8-sig", "replace")


def _cells(sample: Sample) -> dict[str, Any]:
    cells: dict[str, Any] = {
        **{name: getattr(sample, name) for name in _FIELDS},
        **{name: str(sample.metadata.get(name, "")) for name in _METADATA},
    }
    cells.update((f"answer{_suffix(n)}", text) for n, text in enumerate(sample.golden_answers))
    for n, piece in enumerate(sample.evidence):
        cells.update((f"{column}{_suffix(n)}", getattr(piece, name)) for column, name in _EVIDENCE.items())
    return {name: guarded(value) if isinstance(value, str) else value for name, value in cells.items()}


def _suffix(index: int) -> str:
    """Return the suffix of a column for answers or evidence: "" for the first, then _2, _3 and so on."""
    return f"_{index + 1}" if index else ""
