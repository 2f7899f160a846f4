"""Responses read from rows of synth, Ragas, LlamaIndex or LangChain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from synth.core.checks import wrong
from synth.core.errors import RecordError
from synth.core.records import Passage, Response
from synth.evaluation.responses.passages import passages, tool_calls

IDS = ("id", "sample_id", "row_id", "query_id", "question_id", "qid")
QUESTIONS = ("question", "user_input", "query", "input")
ANSWERS = ("answer", "response", "output", "result", "prediction", "generated_answer")
RETRIEVED = ("retrieved", "source_nodes", "source_documents", "documents", "hits", "results")
RETRIEVED_IDS = ("retrieved_ids", "retrieved_context_ids")
CONTEXTS = ("contexts", "retrieved_contexts", "context")
CALLS = ("tool_calls",)


def key_of(row: Any, place: str) -> tuple[str, str]:
    """The row of a response: its id, or else its question; the other is ""."""
    if not isinstance(row, Mapping):
        raise wrong(f"{place}: a response", "an object", row, RecordError)
    for names, by_id in ((IDS, True), (QUESTIONS, False)):
        value = _first(row, names)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value:
            return (value, "") if by_id else ("", value)
    raise RecordError(
        f"{place}: a response must name its row, by one of {', '.join(IDS)} or by one of {', '.join(QUESTIONS)}"
    )


def gives(row: Mapping[str, Any]) -> set[str]:
    """The fields of a Response that a row has."""
    names = {
        "answer": ANSWERS,
        "retrieved": (*RETRIEVED, *RETRIEVED_IDS),
        "contexts": CONTEXTS,
        "tool_calls": CALLS,
    }
    return {field for field, known in names.items() if _first(row, known) is not None}


def response_of(row: Mapping[str, Any], sample_id: str, place: str) -> Response:
    """The response in a row. Raises RecordError naming place and field."""
    return Response(
        sample_id=sample_id,
        answer=_answer(row, place),
        retrieved=_retrieved(row, place),
        contexts=_passages(row, CONTEXTS, place, texts=True),
        tool_calls=_calls(row, place),
    )


def _answer(row: Mapping[str, Any], place: str) -> str | None:
    value = _first(row, ANSWERS)
    if isinstance(value, Mapping):  # LlamaIndex: a response object within the row
        value = _first(value, ANSWERS)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise wrong(f"{place}: field 'answer'", "a text", value, RecordError)
    return value


def _retrieved(row: Mapping[str, Any], place: str) -> tuple[Passage, ...] | None:
    listed = _passages(row, RETRIEVED, place, texts=False)
    if listed is not None:
        return listed
    ids = _first(row, RETRIEVED_IDS)
    if ids is None:
        return _passages(row, ("retrieved_contexts", "context"), place, texts=True)
    texts = _first(row, ("retrieved_contexts",))
    named = passages(ids, "retrieved_ids", place, texts=False)
    if isinstance(texts, list) and len(texts) == len(named) and all(isinstance(text, str) for text in texts):
        with_text = passages(texts, "retrieved_contexts", place, texts=True)
        return tuple(Passage(id=passage.id, text=other.text) for passage, other in zip(named, with_text, strict=True))
    return named


def _passages(row: Mapping[str, Any], names: Sequence[str], place: str, *, texts: bool) -> tuple[Passage, ...] | None:
    name = next((name for name in names if row.get(name) is not None), None)
    if name is None:
        return None
    value = row[name]
    if texts and isinstance(value, str):
        value = [value]
    return passages(value, name, place, texts=texts)


def _calls(row: Mapping[str, Any], place: str) -> Any:
    return None if row.get("tool_calls") is None else tool_calls(row["tool_calls"], "tool_calls", place)


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((row[name] for name in names if row.get(name) is not None), None)
