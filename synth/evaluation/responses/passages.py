"""One retrieved passage or one tool call, out of the shapes that tools write."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

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
    """The passages of a list: a plain text is a passage when `texts`, else an id.

    Objects may be synth's, LlamaIndex' nodes, LangChain's documents, or pairs with a score; an object of
    scores by id is a list as well. Raises RecordError naming place and field.
    """
    if isinstance(value, Mapping):
        value = [{"id": id, "score": score} for id, score in value.items()]
        value.sort(key=lambda one: (-_number(one["score"], what, place), one["id"]))
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise RecordError(f"{place}: field '{what}' must be a list of passages, was {value!r:.60}")
    found = [_passage(one, f"{what}[{i}]", place, texts=texts) for i, one in enumerate(value)]
    return ordered(found) if isinstance(value, list) else tuple(found)


def ordered(found: Sequence[Passage]) -> tuple[Passage, ...]:
    """Passages by rank. Equal scores go by id, the greater first, as trec_eval has it.

    Where the scores do not fall from first to last (distances, or a list that was ranked anew), the order
    of the list counts.
    """
    scores = [one.score for one in found]
    falling = all(a is not None and b is not None and a >= b for a, b in pairwise(scores))
    if len(found) < 2 or not falling:
        return tuple(found)
    by_id = sorted(found, key=lambda one: one.id or one.doc_id, reverse=True)
    return tuple(sorted(by_id, key=lambda one: -(one.score or 0.0)))


def without_hop(text: str) -> str:
    """A context without the mark that Ragas puts before those of questions over several hops."""
    return HOP_PREFIX.sub("", text)


def _passage(value: Any, what: str, place: str, *, texts: bool) -> Passage:
    if isinstance(value, str):
        return Passage(text=without_hop(value)) if texts else Passage(id=value)
    if isinstance(value, int) and not isinstance(value, bool):
        return Passage(id=str(value))
    if isinstance(value, list) and len(value) == 2:
        inner = _passage(value[0], what, place, texts=texts)
        return Passage(**{**_fields(inner), "score": _number(value[1], what, place)})
    if not isinstance(value, Mapping):
        raise RecordError(f"{place}: field '{what}' must be an id, a text or an object, was {value!r:.60}")
    score = _first(value, _SCORES)
    for wrapper in _WRAPPERS:
        if isinstance(value.get(wrapper), Mapping):
            value = value[wrapper]
    return _from_object(value, score, what, place)


def _from_object(value: Mapping[str, Any], score: Any, what: str, place: str) -> Passage:
    more = value.get("metadata")
    held = {**more, **value} if isinstance(more, Mapping) else value
    text = without_hop(str(_first(held, _TEXTS) or ""))
    start, end = _place(held, _STARTS, what, place), _place(held, _ENDS, what, place)
    if start is not None and end is None and text:
        end = start + len(text)
    made = Passage(
        id=str(_first(held, _IDS) or ""),
        doc_id=str(_first(held, _DOCUMENTS) or ""),
        start=start,
        end=end,
        text=text,
        score=None if score is None else _number(score, f"{what}.score", place),
    )
    if not (made.id or made.doc_id or made.text):
        raise RecordError(f"{place}: field '{what}' has neither an id nor a doc_id nor a text: {dict(value)!r:.80}")
    return made


def _fields(passage: Passage) -> dict[str, Any]:
    return {name: getattr(passage, name) for name in ("id", "doc_id", "start", "end", "text", "score")}


def _first(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def _number(value: Any, what: str, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise RecordError(f"{place}: field '{what}' must be a number, was {value!r:.60}")
    return float(value)


def _place(value: Mapping[str, Any], names: Sequence[str], what: str, place: str) -> int | None:
    found = _first(value, names)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise RecordError(f"{place}: field '{what}.{names[0]}' must be a whole number from 0 on, was {found!r:.60}")
    return found


def tool_calls(value: Any, what: str, place: str) -> tuple[ToolCall, ...]:
    """The calls of a list, in synth's shape or OpenAI's. Raises RecordError naming place and field."""
    if not isinstance(value, list):
        raise RecordError(f"{place}: field '{what}' must be a list of calls, was {value!r:.60}")
    return tuple(_call(one, f"{what}[{i}]", place) for i, one in enumerate(value))


def _call(value: Any, what: str, place: str) -> ToolCall:
    held = value.get("function", value) if isinstance(value, Mapping) else None
    if isinstance(held, str):
        held = {**value, "name": held}
    name = _first(held, ("name", "tool", "tool_name")) if isinstance(held, Mapping) else None
    if not isinstance(held, Mapping) or not isinstance(name, str):
        raise RecordError(f"{place}: field '{what}' must be an object with a name and arguments, was {value!r:.60}")
    arguments: Any = next((held[key] for key in ("arguments", "args", "input") if held.get(key) is not None), {})
    if isinstance(arguments, str):
        with suppress(json.JSONDecodeError, RecursionError):  # else an argument that is a text, as some tools take it
            arguments = json.loads(arguments)
    return ToolCall(name=name, arguments=arguments)
