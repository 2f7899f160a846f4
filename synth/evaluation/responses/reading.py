"""Files of responses, read lazily: memory holds only the offset of each response."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Protocol

from synth.core.errors import InputError, RecordError
from synth.core.input_files import bytes_of, open_file
from synth.core.jsonl import Damaged
from synth.core.records import Response
from synth.evaluation.responses.objects import as_data
from synth.evaluation.responses.passages import by_score, by_score_and_id
from synth.evaluation.responses.shapes import fields_given, key_of, response_of
from synth.testset.document_names import DocumentNames


class _Fetch(Protocol):
    def __call__(self, where: int, /) -> Any: ...


class Responses:
    """Responses by row id or, where no response has the id, by question.

    `given` are the fields that any response has, `columns` the names in their rows; `damaged` the lines that are not
    responses; `repeated` the places of further responses to one row, of which the first counts.
    """

    def __init__(self, rows: Iterable[tuple[int, int, Any]], fetch: _Fetch, name: str, damaged: list[Damaged]) -> None:
        self._fetch, self._name = fetch, name
        self._at: dict[tuple[str, str], tuple[int, int]] = {}
        self._names, self._ranked_by_score = DocumentNames(()), False
        self.given: set[str] = set()
        self.columns: dict[str, None] = {}
        self.damaged = damaged
        self.repeated: list[str] = []
        self.keys: list[tuple[str, str]] = []
        """Id and question of every response, in the order of the file; "" where a response does not name it."""
        for line, where, row in rows:
            place = f"{name}:{line}"
            try:
                id, question = key_of(row, place)
                response_of(row, "", place)
            except RecordError as error:
                damaged.append(Damaged(line, str(error)))
                continue
            key = (id, "") if id else ("", question)
            if key in self._at:
                self.repeated.append(f"{place}: a second response to '{id or question}'")
                continue
            self._at[key] = (line, where)
            self._at.setdefault(("", question), (line, where))
            self.keys.append((id, question))
            self.given |= fields_given(row)
            self.columns.update(dict.fromkeys(map(str, row)))

    def __len__(self) -> int:
        return len(self.keys)

    def read_as(self, names: DocumentNames, *, ranked_by_score: bool = False) -> Responses:
        """The same responses, with documents under the ids of `names`, and passages by score where asked for."""
        other = copy(self)
        other._names, other._ranked_by_score = names, ranked_by_score
        return other

    def knows(self, doc_id: str) -> bool:
        """True if a document is one of the names that the responses are read as."""
        return bool(self._names.find(doc_id))

    def get(self, id: str, question: str) -> Response | None:
        """The response to a row, or None."""
        for key in ((id, ""), ("", question)):
            if key in self._at and key != ("", ""):
                line, where = self._at[key]
                response = response_of(self._fetch(where), id, f"{self._name}:{line}", self._names)
                if self._ranked_by_score and response.retrieved is not None:
                    return replace(response, retrieved=by_score(response.retrieved))
                return response
        return None

    @classmethod
    def of(cls, rows: Iterable[Any], name: str = "responses") -> Responses:
        """Responses from Python objects: rows in any of the formats of files, with objects of other libraries."""
        listed = list(rows)
        return cls(((i + 1, i, as_data(row)) for i, row in enumerate(listed)), lambda i: as_data(listed[i]), name, [])


def read_responses(path: Path) -> Responses:
    """The responses of a file: JSONL, a JSON list, columns as Ragas writes them, a TREC run, or BEIR results.

    A damaged line is skipped and listed in `damaged`. Raises InputError when the file cannot be read or has nothing
    that could be a response.
    """
    try:
        with open_file(path) as file:
            head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    first = head.partition(b"\n")[0]
    if not head:
        raise InputError(f"{path} is empty; a file of responses has one JSON object a line, with the id of its row")
    if b"\0" in head:
        raise InputError(f"{path} is not text in UTF-8; save the responses as JSONL, one object a line")
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
        _row(bytes_of(path))
    except (ValueError, RecursionError):
        return False
    return True


def _jsonl(path: Path) -> Responses:
    damaged: list[Damaged] = []

    def rows() -> Iterator[tuple[int, int, Any]]:
        where = 0
        with open_file(path) as file:
            for line, data in enumerate(file, start=1):
                if data.strip():
                    try:
                        yield line, where, _row(data)
                    except (ValueError, RecursionError) as error:
                        damaged.append(Damaged(line, f"{path.name}:{line}: not JSON: {error}"))
                where += len(data)

    source = open_file(path)

    def fetch(where: int) -> Any:
        source.seek(where)
        return _row(source.readline())

    return Responses(rows(), fetch, path.name, damaged)


def _row(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig", "replace"))


def _json(path: Path) -> Responses:
    """One JSON value: a list of rows, an object of columns, or of scores by document by row."""
    try:
        value = _row(bytes_of(path))
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
        runs = ({"id": id, "retrieved": by_score_and_id(scores)} for id, scores in value.items())
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
    with TextIOWrapper(open_file(path), encoding="utf-8-sig", errors="replace") as file:
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
    responses = Responses.of(
        ({"id": id, "retrieved": by_score_and_id(scores)} for id, scores in runs.items()), path.name
    )
    responses.damaged = damaged
    return responses
