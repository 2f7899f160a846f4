"""Retrieved passages and tool calls, read from the formats that RAG tools write."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from synth.core.checks import is_number, wrong
from synth.core.errors import RecordError
from synth.core.records import Passage, ToolCall
from synth.evaluation.responses.answers import text_of
from synth.evaluation.responses.objects import shown
from synth.testset.document_names import DocumentNames
from synth.testset.foreign.shapes import HOP_PREFIX

_IDS = ("chunk_id", "id", "_id", "id_", "node_id", "docid", "pid", "passage_id", "file_id")
_DOCUMENTS = (
    "doc_id", "document_id", "file_path", "source", "path", "filename", "file_name", "url", "uri", "ref_doc_id",
    "source_id",
)  # fmt: skip
_TEXTS = ("text", "page_content", "content", "contents", "passage", "long_text", "text_resource", "document")
_SCORES = ("score", "_score", "similarity", "relevance_score")
_STARTS = ("start", "start_index", "start_char_idx", "split_idx_start")
_ENDS = ("end", "end_index", "end_char_idx")
_WRAPPERS = ("node", "document")
_METADATA = ("metadata", "meta", "payload", "properties", "attributes", "_source", "extra_info")
_LISTS = ("documents", "source_nodes", "nodes", "matches", "hits", "results", "retrievalResults", "points", "data")

_SENTENCE = re.compile(r"(?<!\S)(?:\S++\s++){3}\S|[，。；：！？]")
_FILE = re.compile(r"\.\w{1,8}(?<!\d)\Z|\A\w+://\S+\Z")

_BLOCK = re.compile(r"\n|\A#{1,6}\s")
_CHUNK_ID_LENGTH = 36
"""Length in characters up to which a string may be the id of a passage, such as a UUID."""

NO_NAMES = DocumentNames(())


def passages(value: Any, what: str, place: str, *, texts: bool, names: DocumentNames = NO_NAMES) -> tuple[Passage, ...]:
    """Return the passages of a list, in its order.

    Entries may be objects of synth, LangChain, LlamaIndex, Haystack or vector stores, or pairs with a score. A string
    is a text if `texts` is set, if it looks like a sentence, or if it is unlike the testset's ids (`_is_text`). Any
    other string is an id. An object that maps ids to scores counts as a list ordered by score.

    `names` maps document names to the ids of the testset. Invalid offsets (such as -1) and scores are dropped. Raises
    RecordError naming `place` and the field `what`.
    """
    listed = _listed(value)
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise wrong(f"{place}: field '{what}'", "a list of passages", value, RecordError)
    return tuple(_passage(entry, f"{what}[{i}]", place, names, texts=texts) for i, entry in enumerate(listed))


def by_score(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return passages by descending score; equal scores keep their order, and passages without a score come last."""
    return tuple(sorted(passages, key=lambda passage: math.inf if passage.score is None else -passage.score))


def by_score_and_id(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return ids with their scores, ranked as in trec_eval: by score, then by id, both descending."""
    numbers = {id: number for id, score in scores.items() if (number := _number(score)) is not None}
    return [{"id": id, "score": numbers[id]} for id in sorted(numbers, key=lambda id: (numbers[id], id), reverse=True)]


def without_hop(text: str) -> str:
    """Return a context without the prefix that Ragas adds to contexts of multi-hop questions."""
    return HOP_PREFIX.sub("", text)


def _listed(value: Any) -> Any:
    """Return the list of passages in an object that a retriever or a vector store returned."""
    if not isinstance(value, Mapping):
        return value
    if isinstance(value.get("ids"), Sequence) and isinstance(value.get("documents"), Sequence):
        return list(_of_columns(value))
    inner = next((value[name] for name in _LISTS if isinstance(value.get(name), Mapping | list)), None)
    return by_score_and_id(value) if inner is None else _listed(inner)


def _of_columns(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the passages of a Chroma result, in which each column contains one list per query."""
    names = {"ids": "id", "documents": "text", "metadatas": "metadata"}
    columns = {name: value[column] for column, name in names.items() if value.get(column)}
    flat = {name: rows[0] if isinstance(rows[0], list) else rows for name, rows in columns.items()}
    for row in zip(*flat.values(), strict=True):
        yield dict(zip(flat, row, strict=True))


def _passage(value: Any, what: str, place: str, names: DocumentNames, *, texts: bool) -> Passage:
    if isinstance(value, str):
        doc_id = names.find(value)
        is_text = texts or (not doc_id and _is_text(value, names))
        return Passage(text=without_hop(value)) if is_text else Passage(id=value, doc_id=doc_id)
    if isinstance(value, int) and not isinstance(value, bool):
        return Passage(id=str(value))
    if isinstance(value, list) and len(value) == 2 and not isinstance(value[1], Mapping | list):
        return replace(_passage(value[0], what, place, names, texts=texts), score=_number(value[1]))
    if not isinstance(value, Mapping):
        raise wrong(f"{place}: field '{what}'", "an id, a text or an object", value, RecordError)
    score = _number(first_filled(value, _SCORES))
    for wrapper in _WRAPPERS:
        if isinstance(value.get(wrapper), Mapping):
            value = value[wrapper]
    return _from_object(value, score, what, place, names)


def _is_text(value: str, names: DocumentNames) -> bool:
    """Return whether a string that names no document is a text.

    A text has several lines or a Markdown heading, or reads like a sentence. If the documents of the testset are known,
    a string with spaces or longer than every id is a text too. File names and addresses are ids.
    """
    if _BLOCK.search(value.strip()):
        return True
    if _FILE.search(value):
        return False
    is_unlike = names.longest and (" " in value.strip() or len(value) > max(names.longest, _CHUNK_ID_LENGTH))
    return bool(is_unlike or _SENTENCE.search(value))


def _from_object(value: Mapping[str, Any], score: float | None, what: str, place: str, names: DocumentNames) -> Passage:
    fields = _merged(value)
    text = without_hop(text_of(first_filled(fields, _TEXTS)) or "")
    start, end = _offset(first_filled(fields, _STARTS)), _offset(first_filled(fields, _ENDS))
    if start is not None and end is None and text:
        end = start + len(text)
    id = str(first_filled(fields, _IDS) or "")
    passage = Passage(
        id=id,
        doc_id=_document(fields, names) or names.find(id),
        start=start,
        end=end,
        text=text,
        score=score,
    )
    if not (passage.id or passage.doc_id or passage.text):
        raise RecordError(f"{place}: field '{what}' needs an id, a doc_id or a text; it was {shown(value)}")
    return passage


def _merged(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an object and of its metadata; the object's own fields take precedence."""
    fields: dict[str, Any] = {}
    for name in _METADATA:
        if isinstance(value.get(name), Mapping):
            fields |= _merged(value[name])
    return {**fields, **{name: field for name, field in value.items() if field not in (None, "")}}


def _document(fields: Mapping[str, Any], names: DocumentNames) -> str:
    """Return the document that a passage names: the first name known in the testset, otherwise the first name."""
    given = [str(fields[name]) for name in _DOCUMENTS if isinstance(fields.get(name), str | int)]
    return next(filter(None, map(names.find, given)), given[0] if given else "")


def first_filled(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the first value under `names` that is neither missing nor ""; None if there is none."""
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def _number(value: Any) -> float | None:
    """Return a finite number, also from a string; None for any other value."""
    if isinstance(value, str):
        with suppress(ValueError):
            value = float(value)
    return float(value) if is_number(value) else None


def _offset(value: Any) -> int | None:
    """Return an offset from 0; None for any other value, such as the -1 of LangChain's token splitters."""
    number = _number(value)
    return int(number) if number is not None and number >= 0 and number == int(number) else None


def tool_calls(value: Any, what: str, place: str) -> tuple[ToolCall, ...]:
    """Return the tool calls of a list, in the format of synth or OpenAI.

    Raises RecordError naming `place` and the field `what`.
    """
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
        ):  # arguments that are not JSON are plain text, which some tools accept
            arguments = json.loads(arguments)
    return ToolCall(name=name, arguments=arguments)
