"""Records that all formats share: rows written, rows returned, and problems."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synth.annotation.context import ShownPassage, as_text
from synth.annotation.messages import wording
from synth.annotation.records import DIMENSIONS, sample_hash, whole
from synth.core.errors import InputError, RecordError
from synth.core.jsonl import parsed_line
from synth.core.records import Sample, nothing

Loss = Callable[[str], str]
"""A function from a text to its form in the file, for formats that cannot hold every character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry:
    """A row to write; `annotator` is the person it is for, "" for anybody."""

    sample: Sample
    passages: tuple[ShownPassage, ...]
    annotator: str = ""

    def fields(self, language: str) -> dict[str, str]:
        """The fields of the row by name, with id and hash."""
        kind = self.sample.question_type
        shown = {
            "id": self.sample.id,
            "hash": sample_hash(self.sample),
            "type": wording(language)["type"].get(kind, kind),
            "document": ", ".join(dict.fromkeys(piece.doc_id for piece in self.sample.evidence)),
            "question": self.sample.question,
            "answers": answers_text(self.sample.golden_answers),
            "context": as_text(self.passages)[0],
        }
        return {name: whole(value) for name, value in shown.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A returned row as a person filled it in, with words instead of keys.

    `place` names the row in messages. Texts that are not in the file are "". `loss` is the change that the file makes
    to texts. `ratings` are words or numbers by dimension.
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
    ratings: Mapping[str, Any] = field(default_factory=nothing)
    loss: Loss = str

    @classmethod
    def of(cls, asked: Mapping[str, str], *, place: str, sample_id: str, sample_hash: str, annotator: str) -> Returned:
        """The row with the answers that a tool's form has under the names of its questions."""
        return cls(
            place=place,
            sample_id=sample_id,
            sample_hash=sample_hash,
            annotator=annotator,
            decision=asked.get("decision", ""),
            question=asked.get("new_question", ""),
            answers=asked.get("new_answers", ""),
            reason=asked.get("reason", ""),
            comment=asked.get("comment", ""),
            ratings={name: asked[name] for name in DIMENSIONS if asked.get(name, "").strip()},
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of a file that could not be used, with its place and the reason."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Contents of a file: rows and problems."""

    rows: tuple[Returned, ...]
    problems: tuple[Problem, ...]


def answers_text(answers: Sequence[str]) -> str:
    """Answers as text, one on each line."""
    return "\n".join(" ".join(answer.split()) for answer in answers)


def file_bytes(path: Path) -> bytes:
    """The content of a file. Raises InputError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def json_items(text: str, name: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a JSON list or of JSON Lines with their places; other values are added to `problems`.

    A truncated list gives the objects before its end.
    """
    if not text.lstrip().startswith("["):
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield from _item(line, f"{name}:{number}", problems)
        return
    decoder, place, number = json.JSONDecoder(), text.index("[") + 1, 0
    while True:
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        if text[place : place + 1] == "]":
            return
        number += 1
        try:
            value, place = decoder.raw_decode(text, place)
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
    """A text from a tool's value: a text, a list of texts (a line each), or nothing."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(text_of, value)))
    if isinstance(value, Mapping):
        return text_of(value.get("text", value.get("choices", value.get("value"))))
    return "" if value is None or isinstance(value, bool) else str(value)
