"""Parts that all formats share: the records of rows written and returned, and the reading of files and of JSON."""

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
from synth.annotation.records import DIMENSIONS, sample_hash, whole
from synth.core.errors import InputError, RecordError
from synth.core.input_files import bytes_of
from synth.core.jsonl import parsed_line
from synth.core.records import Sample, empty_mapping

StoredForm = Callable[[str], str]
"""The form in which a file stores a text, for formats that cannot hold every character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowToWrite:
    """A row to write; `annotator` is the person it is for, "" for anybody."""

    sample: Sample
    passages: tuple[ShownPassage, ...]
    annotator: str = ""

    def lead(self, language: str) -> str:
        """What stands above the context: why an update raised the row, or ""."""
        raised = Raised.of(self.sample)
        return f"{raised.as_text(language)}\n\n" if raised else ""

    def fields(self, language: str) -> dict[str, str]:
        """The fields of the row by name."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedRow:
    """A returned row as a person filled it in: decision and reason are the words that they saw, not yet keys.

    `place` names the row in messages. Texts that are not in the file are "". `as_stored` gives a text as the file
    stores it. `ratings` are words or numbers by dimension.
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
        """The row filled in from a form: `answers` maps the name of each field to what the person entered."""
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
    """A part of a file that could not be used, with its place and the reason."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReturnedSheet:
    """Contents of a returned file: its rows, and the parts that could not be used."""

    rows: tuple[ReturnedRow, ...]
    problems: tuple[Problem, ...]


def answers_text(answers: Sequence[str]) -> str:
    """Answers as text, one on each line."""
    return "\n".join(" ".join(answer.split()) for answer in answers)


def file_bytes(path: Path) -> bytes:
    """The content of a file. Raises InputError when it cannot be read."""
    try:
        return bytes_of(path)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def json_items(text: str, name: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a JSON list or of JSON Lines with their places.

    Other values, what is not JSON, and text behind the list are added to `problems`; a truncated list gives the objects
    before its end. An object over several lines is a list of one.
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
                problems.append(Problem(name, "there is text behind the end of the list"))
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
        problems.append(Problem(place, "not an object with fields"))


def text_of(value: Any) -> str:
    """The text in a value of a tool's export; "" for null and Booleans.

    A value is a string, a number, a list (a line each), or an object with `text`, `choices` or `value`.
    """
    if isinstance(value, list):
        return "\n".join(filter(None, map(text_of, value)))
    if isinstance(value, Mapping):
        return text_of(value.get("text", value.get("choices", value.get("value"))))
    return "" if value is None or isinstance(value, bool) else str(value)
