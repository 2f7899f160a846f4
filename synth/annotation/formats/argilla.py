"""Argilla 2: a folder with records and settings, as `rg.Dataset.from_disk` and `records.from_json` read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
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
from synth.annotation.messages import wording
from synth.annotation.records import BEST, DECISIONS, DIMENSIONS, REASONS, SKIP
from synth.core.jsonl import write_atomic

SUFFIXES = (".argilla",)
_FIELDS = ("question", "answers", "context")
_TEXTS = ("new_question", "new_answers", "comment")
_ASKED = ("decision", "reason", *_TEXTS, *DIMENSIONS)


def write(path: Path, entries: Sequence[RowToWrite], language: str, guideline: str) -> list[Path]:
    """Write records.json and .argilla/settings.json into the folder `path`; the settings contain the guideline."""
    records, settings = path / "records.json", path / ".argilla" / "settings.json"
    write_atomic(records, json.dumps([_record(entry, language) for entry in entries], ensure_ascii=True) + "\n")
    write_atomic(settings, json.dumps(_settings(language, guideline), ensure_ascii=True, indent=1) + "\n")
    return [records, settings]


def read(path: Path) -> ReturnedSheet:
    """Read the responses from a folder or a file of records; each person's response to a record is one row.

    Records may be nested or flat (`to_list(flatten=True)`).
    """
    file = path / "records.json" if path.is_dir() else path
    problems: list[Problem] = []
    text = file_bytes(file).decode("utf-8-sig", "replace")
    rows = [row for place, item in json_items(text, file.name, problems) for row in _rows(item, place, problems)]
    return ReturnedSheet(tuple(rows), tuple(problems))


def _record(entry: RowToWrite, language: str) -> dict[str, Any]:
    fields = entry.fields(language)
    suggestions = {"new_question": fields["question"], "new_answers": fields["answers"]}
    return {
        "id": fields["id"],
        "fields": {name: fields[name] or "-" for name in _FIELDS},
        "metadata": {name: fields[name] for name in ("hash", "type", "document")} | {"annotator": entry.annotator},
        "suggestions": {
            name: {"value": value, "score": None, "agent": "synth"} for name, value in suggestions.items() if value
        },
        "responses": {},
        "vectors": {},
    }


def _settings(language: str, guideline: str) -> dict[str, Any]:
    words = wording(language)
    column = words["column"]
    fields = [
        {
            "name": name,
            "title": column[name],
            "required": True,
            "settings": {"type": "text", "use_markdown": False},
        }
        for name in _FIELDS
    ]
    choices = {"decision": DECISIONS[:3], "reason": tuple(REASONS)}
    questions = [
        _question(
            name,
            column[name],
            "",
            {
                "type": "label_selection",
                "options": [{"value": key, "text": words[name][key], "description": None} for key in keys],
                "visible_options": None,
            },
            required=name == "decision",
        )
        for name, keys in choices.items()
    ]
    questions += [_question(name, column[name], "", {"type": "text", "use_markdown": False}) for name in _TEXTS]
    levels = [{"value": level} for level in range(1, BEST + 1)]
    questions += [
        _question(
            name,
            words["dimension"][name],
            words["dimension_says"][name],
            {"type": "rating", "options": levels},
        )
        for name in DIMENSIONS
    ]
    return {
        "guidelines": guideline,
        "allow_extra_metadata": True,
        "fields": fields,
        "questions": questions,
        "metadata": [],
        "vectors": [],
    }


def _question(
    name: str, title: str, description: str, settings: Mapping[str, Any], *, required: bool = False
) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "description": description or None,
        "required": required,
        "settings": dict(settings),
    }


def _rows(record: Mapping[str, Any], place: str, problems: list[Problem]) -> Iterator[ReturnedRow]:
    responses = record.get("responses")
    if not isinstance(responses, Mapping):
        responses = _nested(record)
    by_user: dict[str, dict[str, str]] = {}
    for name in _ASKED:
        answers_to_name = responses.get(name) or []
        if not isinstance(answers_to_name, list):
            problems.append(Problem(place, f"the responses to '{name}' must be a list; export the records again"))
            continue
        for response in answers_to_name:
            if isinstance(response, Mapping):
                answers = by_user.setdefault(str(response.get("user_id") or ""), {})
                answers[name] = text_of(response.get("value"))
                if response.get("status") == "discarded":
                    answers["decision"] = SKIP
    metadata = record.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else record
    for user, asked in by_user.items():
        yield ReturnedRow.from_form(
            asked,
            place=place,
            sample_id=text_of(record.get("id")),
            sample_hash=text_of(metadata.get("hash") or metadata.get("metadata.hash")),
            annotator=user or text_of(metadata.get("annotator")),
        )


def _nested(record: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the responses of a flat record in the form of a nested record: lists by question.

    A flat record stores them in fields such as `decision.responses` and `decision.responses.users`.
    """
    responses: dict[str, list[dict[str, Any]]] = {}
    for name in _ASKED:
        values = record.get(f"{name}.responses")
        if isinstance(values, list):
            users = record.get(f"{name}.responses.users") or [None] * len(values)
            statuses = record.get(f"{name}.responses.status") or [None] * len(values)
            responses[name] = [
                {"value": value, "user_id": user, "status": status}
                for value, user, status in zip(values, users, statuses, strict=False)
            ]
    return responses
