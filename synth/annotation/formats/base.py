"""What every format has in common: what goes out for a row, what comes back for one, and what cannot be used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synth.annotation.context import ShownPassage, as_text
from synth.annotation.messages import wording
from synth.annotation.records import sample_hash, whole
from synth.core.errors import InputError
from synth.core.records import Sample, nothing

Loss = Callable[[str], str]
"""What a text is once it stands in the file, where that cannot hold all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row as it goes out; `annotator` is who it is meant for, "" when that is open."""

    sample: Sample
    passages: tuple[ShownPassage, ...]
    annotator: str = ""

    def fields(self, language: str) -> dict[str, str]:
        """What is shown of the row and what a decision is bound by, by name."""
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
    """What came back for a row, as a person left it: words, not yet decisions.

    `place` is where it stands, for people. Texts that are not in the file are "". `loss` is what the file does
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


@dataclass(frozen=True, slots=True)
class Problem:
    """What of a file could not be used, where, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file held: rows, and what was no row."""

    rows: tuple[Returned, ...]
    problems: tuple[Problem, ...]


def answers_text(answers: Sequence[str]) -> str:
    """Answers for people: one a line."""
    return "\n".join(" ".join(answer.split()) for answer in answers)


def file_bytes(path: Path) -> bytes:
    """The content of a file. Raises InputError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def json_items(text: str, name: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a JSON list, or of JSON Lines, with their places; what is none goes to `problems`.

    A list that breaks off gives what stands before the break.
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
                Problem(f"{name}, item {number}", f"the file breaks off or is no JSON from here on: {error}")
            )
            return
        yield from _object(value, f"{name}, item {number}", problems)


def _item(line: str, place: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        problems.append(Problem(place, f"not JSON: {error}"))
        return
    yield from _object(value, place, problems)


def _object(value: Any, place: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(value, dict):
        yield place, value
    else:
        problems.append(Problem(place, "not an object with fields"))


def one_text(value: Any) -> str:
    """A text out of what a tool writes for one: the text, a list of texts (a line each), or nothing."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(one_text, value)))
    if isinstance(value, Mapping):
        return one_text(value.get("text", value.get("choices", value.get("value"))))
    return "" if value is None or isinstance(value, bool) else str(value)
