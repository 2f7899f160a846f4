"""JSON and JSONL: ready-made passages if there are any, otherwise readable `key: value` text."""

# LangChain's JSONLoader needs jq and a schema from the user, so it is not used.

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synth.core.records import digest
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine, File, FileContent, ReadyPassage
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import DAMAGED, EMPTY, NO_TEXT, Unloadable, parsing

_ID_FIELDS = ("id", "_id", "chunk_id", "passage_id", "doc_id")
_TEXT_FIELDS = ("text", "contents", "page_content", "passage")
_TITLE_FIELDS = ("title", "name")
_MAX_DEPTH = 60
_MAX_INLINE_LIST = 200  # maximum characters of a list on one line
_MAX_ID = 500


class JsonLinesReader(Reader):
    """Passages, one on each line. If no line contains a passage, the lines become lists of `key: value`.

    A line that is not JSON is left out and reported. If other lines contain passages, lines without text and lines with
    a repeated id are left out and reported too.
    """

    name = "jsonl"
    suffixes = (
        ".jsonl",
        ".ndjson",
    )
    has_passages = True

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        values: list[tuple[int, Any]] = []
        bad: list[BadLine] = []
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            try:
                values.append((number, json.loads(line)))
            except (ValueError, RecursionError) as error:
                bad.append(BadLine(number, DAMAGED, f"not JSON: {error}"))
        if bad and not values:
            raise Unloadable(DAMAGED, f"no line is valid JSON; line {bad[0].line}: {bad[0].detail}")
        return _records(values, bad, metadata)


class JsonReader(Reader):
    """A list of passages becomes passages; any other value becomes readable text."""

    name = "json"
    suffixes = (".json",)
    has_passages = True

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        if not text.strip():
            return FileContent()
        with parsing("JSON"):
            value = json.loads(text)
        if isinstance(value, list):
            return _records(list(enumerate(value, start=1)), [], metadata)
        with parsing("JSON"):
            body = markdown.join(_items(value, 0))
        title = next(
            (str(value[key]) for key in _TITLE_FIELDS if isinstance(value, dict) and _is_scalar(value.get(key))), ""
        )
        return FileContent(body, title, metadata=metadata)


def _records(values: list[tuple[int, Any]], bad: list[BadLine], metadata: Mapping[str, Any]) -> FileContent:
    """Return the content of numbered values: passages if any value has a text, else all values as readable text."""
    if not any(_passage_text(value) for _, value in values):
        with parsing("JSON"):
            body = "\n<!-- row -->\n\n".join(filter(None, (markdown.join(_items(value, 0)) for _, value in values)))
        return FileContent(body, bad_lines=tuple(bad), metadata=metadata)
    passages: list[ReadyPassage] = []
    seen: dict[str, int] = {}
    for number, value in values:
        passage = _passage(value)
        if isinstance(passage, tuple):
            bad.append(BadLine(number, *passage))
        elif passage.passage_id in seen:
            first = seen[passage.passage_id]
            bad.append(BadLine(number, DAMAGED, f"its id {passage.passage_id!r} is already the id of line {first}"))
        else:
            seen[passage.passage_id] = number
            passages.append(passage)
    return FileContent(
        format="passage",
        passages=tuple(passages),
        bad_lines=tuple(sorted(bad, key=lambda line: line.line)),
        metadata=metadata,
    )


def _passage_text(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((value[key] for key in _TEXT_FIELDS if isinstance(value.get(key), str)), None)


def _passage(value: Any) -> ReadyPassage | tuple[str, str]:
    """Return the passage in a value, or a reason and a detail if there is none."""
    text = _passage_text(value)
    if text is None:
        return NO_TEXT, f"none of its fields {', '.join(_TEXT_FIELDS[:-1])} or {_TEXT_FIELDS[-1]} contains a text"
    if not text.strip():
        return EMPTY, "its text is empty"
    given_ids = (value[key] for key in _ID_FIELDS if isinstance(value.get(key), str | int) and value[key] != "")
    given_id = next(
        (candidate for candidate in given_ids if not isinstance(candidate, str) or len(candidate) <= _MAX_ID), None
    )
    # Without a usable id, a hash of the text is the id, so that it stays the same when lines move.
    passage_id = f"p-{digest(text)[:12]}" if given_id is None else str(given_id)
    inner = value.get("metadata")
    titles = [value.get("title"), inner.get("title") if isinstance(inner, dict) else None]
    title = next((title for title in titles if isinstance(title, str)), "")
    return ReadyPassage(passage_id, text, " ".join(title.split()))


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and str(value).strip() != ""


def _items(value: Any, depth: int, name: str = "") -> Iterator[str]:
    """Yield a value as nested list items. A list of objects with the same keys becomes a table."""
    label = f"{name}: " if name else ""
    if depth > _MAX_DEPTH:
        raise ValueError(f"it is nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        if name:
            yield markdown.item(name + ":", depth)
        for key, inner in value.items():
            yield from _items(inner, depth + bool(name), str(key))
    elif isinstance(value, list):
        yield from _list(value, depth, name)
    elif isinstance(value, bool):
        yield markdown.item(label + str(value).lower(), depth)
    elif value is not None and str(value).strip():
        yield markdown.item(label + str(value), depth)


def _list(value: Sequence[Any], depth: int, name: str) -> Iterator[str]:
    if (
        value
        and all(_is_scalar(inner) for inner in value)
        and sum(len(str(inner)) for inner in value) < _MAX_INLINE_LIST
    ):
        yield markdown.item((f"{name}: " if name else "") + ", ".join(map(str, value)), depth)
        return
    keys = list(value[0]) if value and isinstance(value[0], dict) else []
    have_same_keys = bool(keys) and all(isinstance(inner, dict) and list(inner) == keys for inner in value)
    if (
        depth == 0
        and have_same_keys
        and all(inner[key] is None or _is_scalar(inner[key]) for inner in value for key in keys)
    ):
        yield markdown.heading(2, name) if name else ""
        rows = [["" if inner[key] is None else str(inner[key]) for key in keys] for inner in value]
        yield markdown.table_or_records([list(map(str, keys)), *rows])
        return
    if name:
        yield markdown.item(name + ":", depth)
    for inner in value:
        yield from _items(inner, depth + bool(name))
