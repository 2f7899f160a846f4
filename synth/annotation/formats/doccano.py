"""doccano: a sequence-to-sequence project in JSONL. The label of each row is a form that people fill in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synth.annotation.formats.base import (
    Problem,
    ReturnedRow,
    ReturnedSheet,
    RowToWrite,
    file_bytes,
    json_items,
    text_of,
)
from synth.annotation.messages import keys_by_word, wording
from synth.annotation.records import DIMENSIONS
from synth.core.jsonl import write_rows

SUFFIXES = (".doccano.jsonl",)
_ASKED = ("decision", "new_question", "new_answers", "reason", "comment", *DIMENSIONS)
_MARKS = ":："


def write(path: Path, entries: Sequence[RowToWrite], language: str, guideline: str) -> list[Path]:
    """Write one line per row: the text to read, the form as its label, and the row's id, hash and annotator."""
    column = wording(language)["column"]
    lines = []
    for entry in entries:
        fields = entry.fields(language)
        shown = [f"{column[name]}: {fields[name]}" for name in ("type", "question", "answers", "context")]
        bound = {"sample_id": fields["id"], "hash": fields["hash"], "annotator": entry.annotator}
        lines.append({"text": "\n\n".join(shown), "label": [form(entry, language)], **bound})
    write_rows(path, lines)
    return [path]


def read(path: Path) -> ReturnedSheet:
    """Read an export. Each label is one row; its annotator is "" if the export names none."""
    problems: list[Problem] = []
    rows: list[ReturnedRow] = []
    for place, item in json_items(file_bytes(path).decode("utf-8-sig", "replace"), path.name, problems):
        labels = item.get("label") or item.get("labels") or []
        texts = labels if isinstance(labels, list) else [labels]
        rows += [_row(item, _filled(text_of(text)), place) for text in texts]
    return ReturnedSheet(tuple(rows), tuple(problems))


def form(entry: RowToWrite, language: str) -> str:
    """Return the form of a row, one line per field; further answers follow on lines of their own."""
    words, fields = wording(language), entry.fields(language)
    prefilled = {"new_question": fields["question"], "new_answers": fields["answers"]}
    names = {**words["column"], **words["dimension"]}
    return "\n".join(f"{names[name]}{words['colon']}{prefilled.get(name, '')}".rstrip() for name in _ASKED)


def _filled(text: str) -> dict[str, str]:
    """Return the fields of a form. A line that starts no field continues the previous field."""
    names = {**keys_by_word("dimension"), **keys_by_word("column")}
    fields: dict[str, list[str]] = {}
    current = "decision"
    for line in text.split("\n"):
        cut = min((place for mark in _MARKS if (place := line.find(mark)) >= 0), default=-1)
        name = names.get(line[:cut].strip().lower()) if cut >= 0 else None
        if name in _ASKED and name not in fields:
            current, line = name, line[cut + 1 :]
        fields.setdefault(current, []).append(line.strip())
    return {name: "\n".join(lines).strip() for name, lines in fields.items()}


def _row(item: Mapping[str, Any], answers: Mapping[str, str], place: str) -> ReturnedRow:
    comments = text_of(item.get("Comments") or item.get("comments"))
    return ReturnedRow.from_form(
        {**answers, "comment": "\n".join(filter(None, (answers.get("comment", ""), comments)))},
        place=place,
        sample_id=text_of(item.get("sample_id")),
        sample_hash=text_of(item.get("hash")),
        annotator=text_of(item.get("annotator") or item.get("user")),
    )
