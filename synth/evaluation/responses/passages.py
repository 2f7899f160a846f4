"""Retrieved passages and tool calls, read from the formats that tools write."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

from synth.core.checks import is_number, wrong
from synth.core.errors import RecordError
from synth.core.records import Passage, ToolCall
from synth.testset.foreign.shapes import HOP_PREFIX

_IDS = ("chunk_id", "id", "_id", "id_", "node_id", "docid", "pid", "passage_id")
_DOCUMENTS = ("doc_id", "document_id", "ref_doc_id", "source", "file_path", "file_name")
_TEXTS = ("text", "page_content", "content", "contents", "passage")
_SCORES = ("score", "similarity", "relevance_score")
_STARTS = ("start", "start_index", "start_char_idx")
_ENDS = ("end", "end_index", "end_char_idx")
_WRAPPERS = ("node", "document")


def passages(value: Any, what: str, place: str, *, texts: bool) -> tuple[Passage, ...]:
    """The passages of a list; a plain string is a text when `texts`, else an id.

    Entries may be objects of synth, nodes of LlamaIndex, documents of LangChain, or pairs with a score; an object of
    scores by id is read as a list. Raises RecordError naming place and field.
    """
    if isinstance(value, Mapping):
        value = [{"id": id, "score": score} for id, score in value.items()]
        value.sort(key=lambda entry: (-_number(entry["score"], what, place), entry["id"]))
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise wrong(f"{place}: field '{what}'", "a list of passages", value, RecordError)
    parsed = [_passage(entry, f"{what}[{i}]", place, texts=texts) for i, entry in enumerate(value)]
    return ordered(parsed) if isinstance(value, list) else tuple(parsed)


def ordered(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Passages by rank; equal scores are ordered by id, descending, as in trec_eval.

    A list whose scores do not descend (distances, or reranked passages) keeps its order.
    """
    scores = [passage.score for passage in passages]
    descending = all(a is not None and b is not None and a >= b for a, b in pairwise(scores))
    if len(passages) < 2 or not descending:
        return tuple(passages)
    by_id = sorted(passages, key=lambda passage: passage.id or passage.doc_id, reverse=True)
    return tuple(sorted(by_id, key=lambda passage: -(passage.score or 0.0)))


def without_hop(text: str) -> str:
    """A context without the mark that Ragas puts before contexts of multi-hop questions."""
    return HOP_PREFIX.sub("", text)


def _passage(value: Any, what: str, place: str, *, texts: bool) -> Passage:
    if isinstance(value, str):
        return Passage(text=without_hop(value)) if texts else Passage(id=value)
    if isinstance(value, int) and not isinstance(value, bool):
        return Passage(id=str(value))
    if isinstance(value, list) and len(value) == 2:
        inner = _passage(value[0], what, place, texts=texts)
        return replace(inner, score=_number(value[1], what, place))
    if not isinstance(value, Mapping):
        raise wrong(f"{place}: field '{what}'", "an id, a text or an object", value, RecordError)
    score = first_filled(value, _SCORES)
    for wrapper in _WRAPPERS:
        if isinstance(value.get(wrapper), Mapping):
            value = value[wrapper]
    return _from_object(value, score, what, place)


def _from_object(value: Mapping[str, Any], score: Any, what: str, place: str) -> Passage:
    more = value.get("metadata")
    fields = {**more, **value} if isinstance(more, Mapping) else value
    text = without_hop(str(first_filled(fields, _TEXTS) or ""))
    start, end = _place(fields, _STARTS, what, place), _place(fields, _ENDS, what, place)
    if start is not None and end is None and text:
        end = start + len(text)
    passage = Passage(
        id=str(first_filled(fields, _IDS) or ""),
        doc_id=str(first_filled(fields, _DOCUMENTS) or ""),
        start=start,
        end=end,
        text=text,
        score=None if score is None else _number(score, f"{what}.score", place),
    )
    if not (passage.id or passage.doc_id or passage.text):
        raise RecordError(f"{place}: field '{what}' has neither an id nor a doc_id nor a text: {dict(value)!r:.80}")
    return passage


def first_filled(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The value of the first of `names` that is neither missing nor ""."""
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def _number(value: Any, what: str, place: str) -> float:
    if not is_number(value) or value != value:
        raise wrong(f"{place}: field '{what}'", "a number", value, RecordError)
    return float(value)


def _place(value: Mapping[str, Any], names: Sequence[str], what: str, place: str) -> int | None:
    offset = first_filled(value, names)
    if offset is None:
        return None
    if type(offset) is not int or offset < 0:
        raise wrong(f"{place}: field '{what}.{names[0]}'", "a whole number from 0 on", offset, RecordError)
    return offset


def tool_calls(value: Any, what: str, place: str) -> tuple[ToolCall, ...]:
    """The calls of a list, in synth's shape or OpenAI's. Raises RecordError naming place and field."""
    if not isinstance(value, list):
        raise wrong(f"{place}: field '{what}'", "a list of calls", value, RecordError)
    return tuple(_call(call, f"{what}[{i}]", place) for i, call in enumerate(value))


def _call(value: Any, what: str, place: str) -> ToolCall:
    call = value.get("function", value) if isinstance(value, Mapping) else None
    if isinstance(call, str):
        call = {**value, "name": call}
    name = first_filled(call, ("name", "tool", "tool_name")) if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(name, str):
        raise wrong(f"{place}: field '{what}'", "an object with a name and arguments", value, RecordError)
    arguments: Any = next((call[key] for key in ("arguments", "args", "input") if call.get(key) is not None), {})
    if isinstance(arguments, str):
        with suppress(
            json.JSONDecodeError, RecursionError
        ):  # otherwise the argument is plain text, which some tools take
            arguments = json.loads(arguments)
    return ToolCall(name=name, arguments=arguments)
