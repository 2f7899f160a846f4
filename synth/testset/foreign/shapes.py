"""Conversion of records to rows, by the field names of many tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synth.core.errors import ConfigError, RecordError
from synth.core.records import UNANSWERABLE
from synth.testset.foreign.rows import ForeignRow, Quote

FIELDS: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "user_input", "query", "query_text", "input", "prompt", "q", "问题", "問題"),
    "answer": (
        "golden_answers", "answers", "ideal", "reference_answer", "reference_answers", "expected_output",
        "expected_answer", "ground_truth", "ground_truths", "ground_truth_answer", "generation_gt", "gold_answer",
        "correct_answer", "reference", "answer", "self_answer", "target", "output", "a", "答案",
    ),
    "passage": (
        "evidence", "reference_contexts", "ground_truth_contexts", "contexts", "context", "context_text", "passages",
        "reference_context", "citations", "retrieval_gt", "passage", "passage_text", "supporting_facts", "source_text",
        "source_passage", "chunks", "chunk", "chunk_text", "段落", "原文", "证据", "證據",
    ),
    "document": (
        "doc_id", "doc_ids", "document_id", "source_file", "file", "file_name", "filename", "source_doc", "source",
        "document", "文档", "文檔",
    ),
    "id": ("id", "_id", "row_id", "query_id", "question_id", "qid", "编号", "編號"),
}  # fmt: skip
"""Parts of a row, with the field names that each part is read from, in order of preference.

Case, spaces and hyphens in the field names of a file are ignored.
"""

_WRAPPERS = ("item", "vars", "inputs", "outputs", "input", "expected_output", "expectedOutput", "output")
_METADATA = ("metadata", "additional_metadata")
HOP_PREFIX = re.compile(r"\A\s*<\d+-hop>\s*", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NUMBERED = re.compile(r"(?:\A|\n\n)Document \S+: ")
"""Prefix that Giskard writes before each document it joins."""

_TEXTS = ("text", "content", "page_content", "quote", "passage")
_TELLING = {
    "conversationTurns": "bedrock",
    "beir": "beir",
    "vars": "promptfoo",
    "item": "openai-evals",
    "ideal": "openai-evals-framework",
    "user_input": "ragas",
    "synthesizer_name": "ragas",
    "additional_metadata": "deepeval",
    "query_by": "llamaindex",
    "inputs": "langsmith",
    "is_impossible": "squad",
    "reference_context": "giskard",
    "retrieval_gt": "autorag",
    "self_answer": "yourbench",
    "ground_truth_answer": "yourbench",
    "evidence": "synth",
}


def foreign(record: Mapping[str, Any], place: str, renamed: Mapping[str, str] | None = None) -> ForeignRow:
    """Return the row of a record read from `place`. `renamed` maps parts of FIELDS to field names of the record.

    Raises RecordError with the place if the record has no question.
    """
    names = {part: ((renamed[part],) if renamed and part in renamed else known) for part, known in FIELDS.items()}
    shape = next((name for field, name in _TELLING.items() if field in record), "fields")
    fields, metadata = _flat(record)
    question = _question(_first(fields, names["question"]))
    if not question.strip():
        raise RecordError(f"{place}: no question; expected it in one of the fields {', '.join(names['question'])}")
    type_ = str(fields.get("question_type") or metadata.get("question_type") or "")
    answers = _answers(_first(fields, names["answer"]), metadata, fields)
    quotes = tuple(_quotes(fields, metadata, names))
    impossible = fields.get("is_impossible") is True or type_ == UNANSWERABLE
    return ForeignRow(
        question=question,
        answers=answers,
        quotes=quotes,
        shape=shape,
        id=str(_first(fields, names["id"]) or metadata.get("id") or ""),
        question_type=type_,
        unanswerable=impossible and not answers,
    )


def renaming(renamed: Mapping[str, str]) -> Mapping[str, str]:
    """Return `renamed` unchanged. Raises ConfigError if one of its keys is not a part of a row (see FIELDS)."""
    for part in renamed:
        if part not in FIELDS:
            raise ConfigError(f"'{part}' is not a part of a row; you can name the fields of {', '.join(FIELDS)}")
    return renamed


def _flat(record: Mapping[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return the fields of a record and of its wrappers, and its metadata."""
    fields = dict(_bedrock(record) if "conversationTurns" in record else record)
    fields = {**{_plain_name(name): value for name, value in fields.items()}, **fields}
    for name in _WRAPPERS:
        inner = fields.get(name)
        if isinstance(inner, Mapping):
            del fields[name]
            fields.update({key: value for key, value in inner.items() if value not in (None, "", [])})
    metadata: Any = next((fields[name] for name in _METADATA if fields.get(name)), {})
    if isinstance(metadata, str):
        try:
            metadata = json.loads(metadata)
        except ValueError:
            metadata = {}
    return fields, metadata if isinstance(metadata, Mapping) else {}


def _plain_name(name: str) -> str:
    """Return a field name in lower case with underscores: "Ground Truth" and "groundTruth" become "ground_truth"."""
    return re.sub(r"[\s-]+", "_", _HUMP.sub("_", name.strip())).casefold()


def _bedrock(record: Mapping[str, Any]) -> dict[str, Any]:
    turn: Mapping[str, Any] = next(iter(record["conversationTurns"]), {})

    def texts(value: Any) -> list[str]:
        return [part.get("text", "") for part in (value or {}).get("content", ())]

    return {
        "question": "\n".join(texts(turn.get("prompt"))),
        "answers": [text for response in turn.get("referenceResponses", ()) for text in texts(response)],
        "contexts": [text for context in turn.get("referenceContexts", ()) for text in texts(context)],
    }


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if fields.get(name) not in (None, "", [], {})), None)


def _question(value: Any) -> str:
    if isinstance(value, list):  # chat messages: take the last user message
        messages = [m.get("content") for m in value if isinstance(m, Mapping) and m.get("role", "user") == "user"]
        value = messages[-1] if messages else ""
    return value if isinstance(value, str) else ""


def _answers(value: Any, metadata: Mapping[str, Any], fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the answers without repetition.

    An export keeps all golden answers in its metadata. These answers are used if the first of them equals the first
    answer of the record. If not, somebody edited the record, and the answers of the record are used.
    """
    answers = list(_texts(value))
    answers += [str(fields[name]) for name in sorted(fields, key=_by_number) if re.fullmatch(r"answer_\d+", name)]
    known = [text for text in metadata.get("golden_answers") or () if isinstance(text, str)]
    if known and (not answers or answers[0] == known[0]):
        answers = known
    return tuple(dict.fromkeys(text for text in answers if text.strip()))


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value: a text, a number, a list of either, or an object of SQuAD ({"text": …})."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool):
        yield "yes" if value else "no"
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, Mapping):
        yield from _texts(value.get("text", value.get("content", value.get("answer"))))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _quotes(
    fields: Mapping[str, Any], metadata: Mapping[str, Any], names: Mapping[str, Sequence[str]]
) -> Iterator[Quote]:
    known = [piece for piece in metadata.get("evidence") or () if isinstance(piece, Mapping)]
    value = _first(fields, names["passage"])
    # A text with an offset is one passage, even if it looks like a JSON list.
    is_placed = isinstance(value, str) and _at(fields) is not None
    if isinstance(value, str) and _NUMBERED.match(value):
        value = [text for text in _NUMBERED.split(value) if text.strip()]
    passages = [*_passages([value] if is_placed else value), *_columns(fields)]
    where = [_name(document) for document in _listed(_first(fields, names["document"]))]
    if known and (
        fields.get("beir")
        or not passages
        or [p.text for p in passages] == [piece.get("text") for piece in known]
        or _joined(value, passages, known)
    ):
        yield from (
            Quote(text=str(piece.get("text") or ""), doc_id=_name(piece.get("doc_id")), start=_at(piece))
            for piece in known
        )
    elif passages:
        focus = _focus(fields, value)
        for number, quote in enumerate(passages):
            doc_id = quote.doc_id or (where[number] if len(where) == len(passages) else where[0] if where else "")
            start = _at(fields) if quote.start is None and not number else quote.start
            yield Quote(text=quote.text, doc_id=doc_id, start=start, focus=focus)
    else:
        yield from (Quote(doc_id=name) for name in where)


def _joined(value: Any, passages: Sequence[Quote], known: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether one text joins all pieces of evidence, as the `context` of promptfoo does.

    The text is `value`, which may look like a JSON list, or the only passage.
    """
    whole = "\n\n".join(str(piece.get("text")) for piece in known)
    return value == whole or [passage.text for passage in passages] == [whole]


def _passages(value: Any) -> Iterator[Quote]:
    for item in _listed(value):
        if isinstance(item, Mapping):
            text = next((str(item[name]) for name in _TEXTS if item.get(name)), "")
            doc_id = _name(item.get("doc_id") or item.get("source"))
            yield Quote(text=HOP_PREFIX.sub("", text), doc_id=doc_id, start=_at(item))
        elif isinstance(item, str) and item.strip():
            yield Quote(text=HOP_PREFIX.sub("", item))


def _columns(fields: Mapping[str, Any]) -> Iterator[Quote]:
    """Yield evidence from numbered columns ("evidence_2", "doc_id_2", "start_2") of an exported CSV file."""
    for name in sorted((name for name in fields if re.fullmatch(r"evidence_\d+", name)), key=_by_number):
        number = name.removeprefix("evidence")
        yield Quote(text=fields[name], doc_id=_name(fields.get(f"doc_id{number}")), start=_at(fields, f"start{number}"))


def _by_number(name: str) -> int:
    digits = name.rpartition("_")[2]
    return int(digits) if digits.isdecimal() else 0


def _listed(value: Any) -> list[Any]:
    """Return a value as a list. A text that is a JSON list of texts becomes that list."""
    if isinstance(value, str) and value.startswith("["):
        try:
            inner = json.loads(value)
        except ValueError:
            return [value]
        texts = isinstance(inner, list) and all(isinstance(text, str) for text in inner)
        return inner if texts else [value]
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def _name(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _at(fields: Mapping[str, Any], name: str = "start") -> int | None:
    value = fields.get(name)
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _focus(fields: Mapping[str, Any], context: Any) -> tuple[int, int] | None:
    """Return the span of the first SQuAD answer in its context, or None if the span is missing or wrong."""
    answers = fields.get("answers")
    if isinstance(answers, list) and answers and isinstance(answers[0], Mapping):
        answers = answers[0]
    if not isinstance(answers, Mapping) or not isinstance(context, str):
        return None
    text, start = (_first_item(answers.get(name)) for name in ("text", "answer_start"))
    fits = isinstance(text, str) and text and isinstance(start, int) and context.startswith(text, start)
    return (start, start + len(text)) if fits else None


def _first_item(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value
