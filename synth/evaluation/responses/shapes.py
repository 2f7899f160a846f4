"""Responses read from rows of synth, Ragas, LlamaIndex or LangChain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from synth.core.checks import wrong
from synth.core.errors import RecordError
from synth.core.records import Passage, Response, ToolCall
from synth.evaluation.responses.passages import first_filled, passages, tool_calls

_IDS = ("id", "sample_id", "row_id", "query_id", "question_id", "qid")
_QUESTIONS = ("question", "user_input", "query", "input")
_ANSWERS = ("answer", "response", "output", "result", "prediction", "generated_answer")
_RETRIEVED = ("retrieved", "source_nodes", "source_documents", "documents", "hits", "results")
_RETRIEVED_IDS = ("retrieved_ids", "retrieved_context_ids")
_RETRIEVED_TEXTS = ("retrieved_contexts", "context")
"""Names of contexts that are also the retrieved passages, where no other field lists these."""
_CONTEXTS = ("contexts", *_RETRIEVED_TEXTS)
_CALLS = ("tool_calls",)
_NAMES = {
    "answer": _ANSWERS,
    "retrieved": (*_RETRIEVED, *_RETRIEVED_IDS, *_RETRIEVED_TEXTS),
    "contexts": _CONTEXTS,
    "tool_calls": _CALLS,
}


def key_of(row: Any, place: str) -> tuple[str, str]:
    """Key of the row answered: (id, "") or, without an id, ("", question)."""
    if not isinstance(row, Mapping):
        raise wrong(f"{place}: a response", "an object", row, RecordError)
    for names, by_id in ((_IDS, True), (_QUESTIONS, False)):
        value = first_filled(row, names)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str):
            return (value, "") if by_id else ("", value)
    raise RecordError(
        f"{place}: a response must name its row, by one of {', '.join(_IDS)} or by one of {', '.join(_QUESTIONS)}"
    )


def fields_given(row: Mapping[str, Any]) -> set[str]:
    """The fields of the response in a row that are not None."""
    return {field for field, names in _NAMES.items() if _given_name(row, names)}


def response_of(row: Mapping[str, Any], sample_id: str, place: str) -> Response:
    """The response in a row. Raises RecordError naming place and field."""
    return Response(
        sample_id=sample_id,
        answer=_answer(row, place),
        retrieved=_retrieved(row, place),
        contexts=_passages(row, _CONTEXTS, place, texts=True),
        tool_calls=_calls(row, place),
    )


def _answer(row: Mapping[str, Any], place: str) -> str | None:
    name = _given_name(row, _ANSWERS)
    value = row.get(name)
    if isinstance(value, Mapping):  # LlamaIndex: a response object within the row
        inner = _given_name(value, _ANSWERS)
        name, value = f"{name}.{inner}", value.get(inner)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise wrong(f"{place}: field '{name}'", "a string", value, RecordError)
    return value


def _retrieved(row: Mapping[str, Any], place: str) -> tuple[Passage, ...] | None:
    listed = _passages(row, _RETRIEVED, place, texts=False)
    if listed is not None:
        return listed
    named = _passages(row, _RETRIEVED_IDS, place, texts=False)
    if named is None:
        return _passages(row, _RETRIEVED_TEXTS, place, texts=True)
    texts = row.get("retrieved_contexts")
    if isinstance(texts, list) and len(texts) == len(named) and all(isinstance(text, str) for text in texts):
        with_text = passages(texts, "retrieved_contexts", place, texts=True)
        return tuple(replace(passage, text=other.text) for passage, other in zip(named, with_text, strict=True))
    return named


def _passages(row: Mapping[str, Any], names: Sequence[str], place: str, *, texts: bool) -> tuple[Passage, ...] | None:
    name = _given_name(row, names)
    if not name:
        return None
    value = row[name]
    if texts and isinstance(value, str):
        value = [value]
    return passages(value, name, place, texts=texts)


def _calls(row: Mapping[str, Any], place: str) -> tuple[ToolCall, ...] | None:
    name = _given_name(row, _CALLS)
    return tool_calls(row[name], name, place) if name else None


def _given_name(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of `names` with a value in the row; "" without one."""
    return next((name for name in names if row.get(name) is not None), "")
