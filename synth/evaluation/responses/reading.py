"""Files of responses, read lazily: memory holds only the offset of each response."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from synth.core.errors import InputError, RecordError
from synth.core.jsonl import Damaged
from synth.core.records import Passage, Response
from synth.evaluation.responses.passages import ordered
from synth.evaluation.responses.shapes import fields_given, key_of, response_of


class _Fetch(Protocol):
    def __call__(self, where: int, /) -> Any: ...


class Responses:
    """Responses by row id or, where a response names no id, by question.

    `given` are the fields that any response has; `damaged` the lines that are not responses; `repeated` the places of
    further responses to one row, of which the first counts.
    """

    def __init__(self, rows: Iterable[tuple[int, int, Any]], fetch: _Fetch, name: str, damaged: list[Damaged]) -> None:
        self._fetch, self._name = fetch, name
        self._at: dict[tuple[str, str], tuple[int, int]] = {}
        self.given: set[str] = set()
        self.damaged = damaged
        self.repeated: list[str] = []
        for line, where, row in rows:
            place = f"{name}:{line}"
            try:
                key = key_of(row, place)
                response_of(row, "", place)
            except RecordError as error:
                damaged.append(Damaged(line, str(error)))
                continue
            if key in self._at:
                self.repeated.append(f"{place}: a second response to '{key[0] or key[1]}'")
                continue
            self._at[key] = (line, where)
            self.given |= fields_given(row)

    def __len__(self) -> int:
        return len(self._at)

    @property
    def keys(self) -> list[tuple[str, str]]:
        """(id, "") or ("", question) of every response, in the order of the file."""
        return list(self._at)

    def get(self, id: str, question: str) -> Response | None:
        """The response to a row, or None."""
        for key in ((id, ""), ("", question)):
            if key in self._at:
                line, where = self._at[key]
                return response_of(self._fetch(where), id, f"{self._name}:{line}")
        return None

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], name: str = "responses") -> Responses:
        """Responses from Python objects: rows in any of the formats of files."""
        listed = list(rows)
        return cls(((i + 1, i, row) for i, row in enumerate(listed)), listed.__getitem__, name, [])


def read_responses(path: Path) -> Responses:
    """The responses of a file: JSONL, a JSON list, columns as Ragas writes them, a TREC run, or BEIR results.

    A damaged line is skipped and listed in `damaged`. Raises InputError when the file cannot be read or has nothing
    that could be a response.
    """
    try:
        with path.open("rb") as file:
            head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    first = head.partition(b"\n")[0]
    if not head:
        raise InputError(f"{path} is empty; a file of responses has one JSON object a line, with the id of its row")
    if first[:1] not in (b"{", b"["):
        return _trec(path)
    if first[:1] == b"{" and (_is_object(first) or not _is_whole(path)):
        return _jsonl(path)
    return _json(path)


def _is_object(line: bytes) -> bool:
    """True if a line is a row: an object that is not a whole file in another format."""
    try:
        row = json.loads(line)
        key_of(row, "")
    except (ValueError, RecursionError, RecordError):
        return False
    return not any(isinstance(value, list) for value in (row.get("user_input"), row.get("question")))


def _is_whole(path: Path) -> bool:
    try:
        json.loads(path.read_bytes().decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return False
    return True


def _jsonl(path: Path) -> Responses:
    damaged: list[Damaged] = []

    def rows() -> Iterator[tuple[int, int, Any]]:
        where = 0
        with path.open("rb") as file:
            for line, data in enumerate(file, start=1):
                if data.strip():
                    try:
                        yield line, where, _row(data)
                    except (ValueError, RecursionError) as error:
                        damaged.append(Damaged(line, f"{path.name}:{line}: not JSON: {error}"))
                where += len(data)

    source = path.open("rb")

    def fetch(where: int) -> Any:
        source.seek(where)
        return _row(source.readline())

    return Responses(rows(), fetch, path.name, damaged)


def _row(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig", "replace"))


def _json(path: Path) -> Responses:
    """One JSON value: a list of rows, an object of columns, or of scores by document by row."""
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is neither JSONL nor JSON: {error}") from error
    if isinstance(value, list):
        return Responses.of(value, path.name)
    rows = value.get("results", value.get("data"))
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return Responses.of(rows, path.name)
    if value and all(isinstance(column, list) for column in value.values()):
        return Responses.of(_from_columns(value, path), path.name)
    if value and all(isinstance(scores, dict) for scores in value.values()):
        runs = ({"id": id, "retrieved": _by_score(scores)} for id, scores in value.items())
        return Responses.of(runs, path.name)
    return Responses.of([value], path.name)


def _from_columns(columns: Mapping[str, list[Any]], path: Path) -> list[dict[str, Any]]:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise InputError(f"the columns of {path} must be equally long, were {lengths}")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _trec(path: Path) -> Responses:
    """A TREC run: query, Q0, document, rank, score, tag; the score decides the order, as in trec_eval."""
    runs: dict[str, dict[str, float]] = {}
    damaged = []
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line, text in enumerate(file, start=1):
            parts = text.split()
            if not parts:
                continue
            try:
                query, _, document, _, score, *_ = parts
                runs.setdefault(query, {}).setdefault(document, float(score))
            except ValueError:
                reason = f"{path.name}:{line}: neither JSON nor a line of a TREC run (query Q0 document rank score tag)"
                damaged.append(Damaged(line, reason))
    if not runs:
        raise InputError(f"{path} has no response: {damaged[0].reason}")
    responses = Responses.of(({"id": id, "retrieved": _by_score(scores)} for id, scores in runs.items()), path.name)
    responses.damaged = damaged
    return responses


def _by_score(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Passages by score and then by id, both descending."""
    kept = [(id, score) for id, score in scores.items() if isinstance(score, int | float)]
    first = sorted(sorted(kept, reverse=True, key=lambda passage: passage[0]), key=lambda passage: -passage[1])
    passages = ordered([Passage(id=id, score=float(score)) for id, score in first])
    return [{"id": passage.id, "score": passage.score} for passage in passages]
