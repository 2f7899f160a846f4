"""Shared parts of all formats: records of exported and returned rows, reading of files and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synth.annotation.context import ShownPassage, as_text
from synth.annotation.messages import wording
from synth.annotation.raised import Raised
from synth.annotation.records import DIMENSIONS, Annotation, sample_hash, whole
from synth.core.errors import InputError, RecordError
from synth.core.input_files import bytes_of
from synth.core.jsonl import parsed_line
from synth.core.records import Sample, empty_mapping

StoredForm = Callable[[str], str]
"""Function that returns a text as a file stores it, for formats that cannot store every character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowToWrite:
    """A row to export. `annotator` is the person who will review the row, "" for anybody.

    `others` are the decisions of other people. A sheet for settling disagreements shows them.
    """

    sample: Sample
    passages: tuple[ShownPassage, ...]
    annotator: str = ""
    others: tuple[Annotation, ...] = ()

    def lead(self, language: str) -> str:
        """Return the text above the context: why an update marked the row for review, and what others decided."""
        raised = Raised.of(self.sample)
        parts = [raised.as_text(language)] if raised else []
        if self.others:
            heading = wording(language)["page"]["others"]
            parts.append("\n".join([heading, *(_decision(one, language) for one in self.others)]))
        return "".join(f"{whole(part)}\n\n" for part in parts)

    def fields(self, language: str) -> dict[str, str]:
        """Return the texts to export by field name."""
        kind = self.sample.question_type
        shown = {
            "id": self.sample.id,
            "hash": sample_hash(self.sample),
            "type": wording(language)["type"].get(kind, kind),
            "document": ", ".join(dict.fromkeys(piece.doc_id for piece in self.sample.evidence)),
            "question": self.sample.question,
            "answers": answers_text(self.sample.golden_answers),
            "context": self.lead(language) + as_text(self.passages)[0],
        }
        return {name: whole(value) for name, value in shown.items()}


def _decision(annotation: Annotation, language: str) -> str:
    """Return a decision of somebody as one line: its reason or its wording, and the comment."""
    words = wording(language)
    parts = [
        words["decision"][annotation.decision],
        words["reason"].get(annotation.reason, ""),
        annotation.question,
        words["list"].join(annotation.golden_answers),
        annotation.comment,
    ]
    return f"{annotation.annotator}{words['colon']}" + " · ".join(" ".join(part.split()) for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedRow:
    """A returned row as a person filled it in.

    `place` is the position of the row for messages. `decision` and `reason` are the words that the person chose, not
    yet converted to keys. `ratings` maps dimensions to words or numbers. Texts missing in the file are "". `as_stored`
    returns a text as the file stores it.
    """

    place: str
    sample_id: str
    sample_hash: str
    annotator: str
    decision: str
    question: str = ""
    answers: str = ""
    reason: str = ""
    comment: str = ""
    ratings: Mapping[str, Any] = field(default_factory=empty_mapping)
    as_stored: StoredForm = str

    @classmethod
    def from_form(
        cls, answers: Mapping[str, str], *, place: str, sample_id: str, sample_hash: str, annotator: str
    ) -> ReturnedRow:
        """Build a row from a form; `answers` maps each field name to what the person entered."""
        return cls(
            place=place,
            sample_id=sample_id,
            sample_hash=sample_hash,
            annotator=annotator,
            decision=answers.get("decision", ""),
            question=answers.get("new_question", ""),
            answers=answers.get("new_answers", ""),
            reason=answers.get("reason", ""),
            comment=answers.get("comment", ""),
            ratings={name: answers[name] for name in DIMENSIONS if answers.get(name, "").strip()},
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of a file that could not be used, with its position and the reason."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReturnedSheet:
    """Content of a returned file: its rows, and the parts that could not be used."""

    rows: tuple[ReturnedRow, ...]
    problems: tuple[Problem, ...]


def answers_text(answers: Sequence[str]) -> str:
    """Return answers as one text, with one answer per line."""
    return "\n".join(" ".join(answer.split()) for answer in answers)


def file_bytes(path: Path) -> bytes:
    """Return the content of a file. Raises InputError if the file cannot be read."""
    try:
        return bytes_of(path)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def json_items(text: str, name: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects of a JSON list or of JSON Lines, each with its position.

    Invalid JSON, values that are no objects, and text after the list are added to `problems`. From a truncated list,
    the complete objects are yielded. A file with a single object counts as a list of one.
    """
    with suppress(ValueError, RecursionError):
        if isinstance(whole_file := json.loads(text), dict):
            yield name, whole_file
            return
    if not text.lstrip().startswith("["):
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield from _item(line, f"{name}:{number}", problems)
        return
    decoder, position, number = json.JSONDecoder(), text.index("[") + 1, 0
    while True:
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        if text[position : position + 1] == "]":
            if text[position + 1 :].strip():
                problems.append(Problem(name, "text after the end of the JSON list was ignored"))
            return
        number += 1
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            problems.append(
                Problem(f"{name}, item {number}", f"the file is truncated or not JSON from here on: {error}")
            )
            return
        yield from _object(value, f"{name}, item {number}", problems)


def _item(line: str, place: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        yield from _object(parsed_line(line, place), place, problems)
    except RecordError as error:
        problems.append(Problem(place, str(error).removeprefix(f"{place}: ")))


def _object(value: Any, place: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(value, dict):
        yield place, value
    else:
        problems.append(Problem(place, "not a JSON object"))


def text_of(value: Any) -> str:
    """Return the text of a value from a tool's export.

    A value is a string, a number, a list (one item per line) or an object with `text`, `choices` or `value`. Null and
    booleans return "".
    """
    if isinstance(value, list):
        return "\n".join(filter(None, map(text_of, value)))
    if isinstance(value, Mapping):
        return text_of(value.get("text", value.get("choices", value.get("value"))))
    return "" if value is None or isinstance(value, bool) else str(value)
