"""Files of responses, read lazily: memory contains only the offset of each response."""

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
from synth.evaluation.responses.shapes import fields_given, has_texts, key_of, response_of
from synth.testset.document_names import DocumentNames


class _Fetch(Protocol):
    def __call__(self, where: int, /) -> Any: ...


class Responses:
    """Responses by row id, or by question if no response has the id.

    `given` contains the fields that at least one response has. `columns` contains all names in the rows. `damaged`
    lists the lines that are not responses. `repeated` lists further responses to the same row, which are ignored.
    """

    def __init__(self, rows: Iterable[tuple[int, int, Any]], fetch: _Fetch, name: str, damaged: list[Damaged]) -> None:
        self._fetch, self._name = fetch, name
        self._at: dict[tuple[str, str], tuple[int, int]] = {}
        self._names, self._ranked_by_score = DocumentNames(()), False
        self.given: set[str] = set()
        self.columns: dict[str, None] = {}
        self.with_texts: set[str] = set()
        self.damaged = damaged
        self.repeated: list[str] = []
        self.keys: list[tuple[str, str]] = []
        """Id and question of every response in file order; "" if a response lacks one of them."""
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
                self.repeated.append(f"{place}: another response to '{id or question}'; only the first counts")
                continue
            self._at[key] = (line, where)
            self._at.setdefault(("", question), (line, where))
            self.keys.append((id, question))
            self.given |= fields_given(row)
            self.columns.update(dict.fromkeys(map(str, row)))
            self.with_texts.update(name for name, value in row.items() if has_texts(value))

    def __len__(self) -> int:
        return len(self.keys)

    def read_as(self, names: DocumentNames, *, ranked_by_score: bool = False) -> Responses:
        """Return the same responses with document names replaced by the ids of `names`.

        With `ranked_by_score`, retrieved passages are sorted by score.
        """
        other = copy(self)
        other._names, other._ranked_by_score = names, ranked_by_score
        return other

    def knows(self, doc_id: str) -> bool:
        """Return whether a document name matches one of the names set by `read_as`."""
        return bool(self._names.find(doc_id))

    def get(self, id: str, question: str) -> Response | None:
        """Return the response to a row, found by id or by question; None if there is none."""
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
        """Read responses from Python objects in any of the file formats; objects of other libraries are allowed."""
        listed = list(rows)
        return cls(((i + 1, i, as_data(row)) for i, row in enumerate(listed)), lambda i: as_data(listed[i]), name, [])


def read_responses(path: Path) -> Responses:
    """Read a file of responses: JSONL, a JSON list, columns as Ragas writes them, a TREC run, or BEIR results.

    Damaged lines are skipped and listed in `damaged`. Raises InputError if the file cannot be read or cannot contain
    responses.
    """
    try:
        with open_file(path) as file:
            head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    first = head.partition(b"\n")[0]
    if not head:
        raise InputError(f"{path} is empty; write one JSON object per line, with the id of its row")
    if b"\0" in head:
        raise InputError(f"{path} is not a UTF-8 text; save the responses as JSONL, one object per line")
    if first[:1] not in (b"{", b"["):
        return _trec(path)
    if first[:1] == b"{" and (_is_object(first) or not _is_whole(path)):
        return _jsonl(path)
    return _json(path)


def _is_object(line: bytes) -> bool:
    """Return whether a line is a row, not a whole file in another format."""
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
    """Read a JSON value: a list of rows, an object of columns, or scores by row and document."""
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
        raise InputError(f"the columns of {path} must have the same length, but their lengths are {lengths}")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _trec(path: Path) -> Responses:
    """Read a TREC run: query, Q0, document, rank, score, tag. As in trec_eval, the order is by score."""
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
        raise InputError(f"{path} contains no response; the first problem: {damaged[0].reason}")
    responses = Responses.of(
        ({"id": id, "retrieved": by_score_and_id(scores)} for id, scores in runs.items()), path.name
    )
    responses.damaged = damaged
    return responses
