"""Responses from rows in synth's own format and in those of frameworks and chat models."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from synth.core.checks import wrong
from synth.core.errors import RecordError
from synth.core.records import Passage, Response, ToolCall
from synth.evaluation.responses.answers import CONTAINERS, text_of
from synth.evaluation.responses.objects import shown
from synth.evaluation.responses.passages import NO_NAMES, first_filled, passages, tool_calls
from synth.testset.document_names import DocumentNames

_IDS = ("custom_id", "id", "sample_id", "row_id", "query_id", "question_id", "qid")
_QUESTIONS = ("question", "user_input", "query", "input")
_ANSWERS = ("answer", "response", "output", "result", "prediction", "generated_answer")
_ANSWER_OBJECTS = tuple(name for name in CONTAINERS if name not in (*_ANSWERS, "data", "kwargs", "body", "parts"))
_RETRIEVED = (
    "retrieved", "source_nodes", "source_documents", "documents", "hits", "results", "passages", "matches", "sources",
    "retrievalResults",
)  # fmt: skip
_RETRIEVED_IDS = ("retrieved_ids", "retrieved_context_ids")
_RETRIEVED_TEXTS = ("retrieved_contexts", "context")
"""Names of contexts that also count as retrieved passages if no other field lists retrieved passages."""
_CONTEXTS = ("contexts", *_RETRIEVED_TEXTS)
_CALLS = ("tool_calls",)
_NAMES = {
    "answer": (*_ANSWERS, *_ANSWER_OBJECTS),
    "retrieved": (*_RETRIEVED, *_RETRIEVED_IDS, *_RETRIEVED_TEXTS),
    "contexts": _CONTEXTS,
    "tool_calls": _CALLS,
}
FIELDS = tuple(_NAMES)
"""Fields of a response that can be measured."""
_INPUTS = frozenset(
    "metadata meta usage input inputs parameters settings config extra_info prompt reference expected "
    "expected_output ground_truth".split()
)
"""Names of objects in a row that contain no output of the system."""
_OF_ROWS = frozenset("golden_answers evidence relevance outputs scores answers error errors".split())
"""Names of fields of the testset or of scores, which may stand beside a response in the same row."""
_ALIKE = 0.8
"""Minimum similarity, from 0 to 1, between a misspelled field name and the name that was meant."""
_TEXT_FROM = 20
"""Minimum length in characters of a text that may be a passage, so that tags are no passages."""
_DEPTH = 4


def misspelled_fields(columns: Iterable[str], with_texts: Collection[str] = ()) -> dict[str, str]:
    """Return the unknown field names that resemble a known one, each mapped to the known one.

    Unknown fields among `with_texts`, which contain lists of texts, are mapped to "retrieved".
    """
    known = {name: None for names in (_IDS, _QUESTIONS, *_NAMES.values(), CONTAINERS) for name in names}
    found = {}
    for name in columns:
        if name not in {*known, *_INPUTS, *_OF_ROWS} and (close := get_close_matches(name, known, 1, _ALIKE)):
            found[name] = close[0]
        elif name in with_texts and name not in {*known, *_INPUTS, *_OF_ROWS}:
            found[name] = "retrieved"
    return found


def has_texts(value: Any) -> bool:
    """Return whether a value is a list of texts or of objects with texts, as lists of passages are."""
    parts = value if isinstance(value, list) else ()
    texts = (text for part in parts for text in (part.values() if isinstance(part, Mapping) else (part,)))
    return any(isinstance(text, str) and len(text) >= _TEXT_FROM for text in texts)


def key_of(row: Any, place: str) -> tuple[str, str]:
    """Return the id and the question of the row that a response answers, each "" if missing.

    Raises RecordError if the response is no object or names neither.
    """
    if not isinstance(row, Mapping):
        raise wrong(f"{place}: a response", "an object", row, RecordError)
    id, question = (_name_in(row, names) for names in (_IDS, _QUESTIONS))
    if not (id or question):
        raise RecordError(
            f"{place}: a response must name its row; add one of the fields {', '.join(_IDS)}, {', '.join(_QUESTIONS)}"
        )
    return id, question


def _name_in(row: Mapping[str, Any], names: Sequence[str]) -> str:
    value = first_filled(row, names)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def fields_given(row: Mapping[str, Any]) -> set[str]:
    """Return the response fields that have a value in a row of responses."""
    return {field for field, names in _NAMES.items() if _find(row, names)[0]}


def response_of(row: Mapping[str, Any], sample_id: str, place: str, names: DocumentNames = NO_NAMES) -> Response:
    """Read the response in a row. `names` maps document names to the ids of the testset.

    Raises RecordError naming `place` and the wrong field.
    """
    return Response(
        sample_id=sample_id,
        answer=_answer(row, place),
        retrieved=_retrieved(row, place, names),
        contexts=_passages(row, _CONTEXTS, place, names, texts=True),
        tool_calls=_calls(row, place),
    )


def _answer(row: Mapping[str, Any], place: str) -> str | None:
    name, value = _find(row, _NAMES["answer"])
    if not name:
        return None
    text = text_of({name: value})
    if text is None:
        raise RecordError(
            f"{place}: field '{name}' must be a text, or a chat message or completion that contains a text; "
            f"it was {shown(value)}"
        )
    return text


def _retrieved(row: Mapping[str, Any], place: str, names: DocumentNames) -> tuple[Passage, ...] | None:
    listed = _passages(row, _RETRIEVED, place, names, texts=False)
    if listed is not None:
        return listed
    named = _passages(row, _RETRIEVED_IDS, place, names, texts=False)
    if named is None:
        return _passages(row, _RETRIEVED_TEXTS, place, names, texts=True)
    texts = row.get("retrieved_contexts")
    if isinstance(texts, list) and len(texts) == len(named) and all(isinstance(text, str) for text in texts):
        with_text = passages(texts, "retrieved_contexts", place, texts=True)
        return tuple(replace(passage, text=other.text) for passage, other in zip(named, with_text, strict=True))
    return named


def _passages(
    row: Mapping[str, Any], fields: Sequence[str], place: str, names: DocumentNames, *, texts: bool
) -> tuple[Passage, ...] | None:
    name, value = _find(row, fields)
    if not name:
        return None
    if texts and isinstance(value, str):
        value = [value]
    return passages(value, name, place, texts=texts or name == "passages", names=names)


def _calls(row: Mapping[str, Any], place: str) -> tuple[ToolCall, ...] | None:
    name, value = _find(row, _CALLS)
    return tool_calls(value, name, place) if name else None


def _find(row: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Any]:
    """Return the first of `names` with a value, and the value, in a row or in the outputs inside it; "" if none."""
    for layer in _layers(row):
        for name in names:
            if layer.get(name) is not None:
                return name, layer[name]
    return "", None


def _layers(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a row, then the objects in it that may contain outputs, level by level."""
    level: list[Mapping[str, Any]] = [row]
    for _ in range(_DEPTH):
        yield from level
        inner: list[Mapping[str, Any]] = []
        for layer in level:
            for name, value in layer.items():
                if isinstance(value, Mapping) and name not in _INPUTS:
                    inner.append(value)
                elif isinstance(value, list) and name in _NAMES["answer"]:
                    inner += [item for item in value if isinstance(item, Mapping)]
        level = inner
