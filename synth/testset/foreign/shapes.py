"""One row made elsewhere, out of the fields that tools and people give it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synth.core.errors import ConfigError, RecordError
from synth.core.records import UNANSWERABLE
from synth.testset.foreign.rows import Foreign, Quote

FIELDS: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "user_input", "query", "query_text", "input", "prompt", "问题", "問題"),
    "answer": (
        "golden_answers", "answers", "ideal", "reference_answer", "reference_answers", "expected_output",
        "expected_answer", "ground_truth", "ground_truths", "reference", "answer", "target", "output", "答案",
    ),
    "passage": (
        "evidence", "reference_contexts", "ground_truth_contexts", "contexts", "context", "context_text", "passages",
        "passage", "passage_text", "supporting_facts", "source_text", "段落", "原文", "证据", "證據",
    ),
    "document": (
        "doc_id", "doc_ids", "document", "document_id", "source_file", "file", "file_name", "source_doc", "文档",
        "文檔",
    ),
    "id": ("id", "_id", "query_id", "question_id", "qid", "编号", "編號"),
}  # fmt: skip
"""What a row has, and the names of the fields that it is looked for in, in that order."""

_WRAPPERS = ("item", "vars", "inputs", "outputs", "input", "expected_output", "expectedOutput", "output")
_METADATA = ("metadata", "additional_metadata")
HOP_PREFIX = re.compile(r"\A\s*<\d+-hop>\s*", re.IGNORECASE)
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
    "evidence": "synth",
}


def foreign(record: Mapping[str, Any], place: str, renamed: Mapping[str, str] | None = None) -> Foreign:
    """The row that a record read from `place` is; `renamed` gives the field of a record by what it is.

    Raises RecordError naming the place and what is missing.
    """
    names = {what: ((renamed[what],) if renamed and what in renamed else known) for what, known in FIELDS.items()}
    shape = next((name for field, name in _TELLING.items() if field in record), "fields")
    held, metadata = _flat(record)
    question = _question(_first(held, names["question"]))
    if not question.strip():
        raise RecordError(f"{place}: no question; it is looked for in {', '.join(names['question'])}")
    type_ = str(held.get("question_type") or metadata.get("question_type") or "")
    answers = _answers(_first(held, names["answer"]), metadata, held)
    quotes = tuple(_quotes(held, metadata, names))
    impossible = held.get("is_impossible") is True or type_ == UNANSWERABLE
    return Foreign(
        question=question,
        answers=answers,
        quotes=quotes,
        shape=shape,
        id=str(_first(held, names["id"]) or metadata.get("id") or ""),
        question_type=type_,
        unanswerable=impossible and not answers,
    )


def renaming(given: Mapping[str, str]) -> Mapping[str, str]:
    """Fields named by what they are, checked. Raises ConfigError for what a row does not have."""
    for what in given:
        if what not in FIELDS:
            raise ConfigError(f"a row has no '{what}' to name a field for; it has {', '.join(FIELDS)}")
    return given


def _flat(record: Mapping[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """The fields of a record, those within its wrappers with them, and its metadata."""
    held = dict(_bedrock(record) if "conversationTurns" in record else record)
    for name in _WRAPPERS:
        inner = held.get(name)
        if isinstance(inner, Mapping):
            del held[name]
            held.update({key: value for key, value in inner.items() if value not in (None, "", [])})
    found: Any = next((held[name] for name in _METADATA if held.get(name)), {})
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except ValueError:
            found = {}
    return held, found if isinstance(found, Mapping) else {}


def _bedrock(record: Mapping[str, Any]) -> dict[str, Any]:
    turn: Mapping[str, Any] = next(iter(record["conversationTurns"]), {})

    def texts(value: Any) -> list[str]:
        return [part.get("text", "") for part in (value or {}).get("content", ())]

    return {
        "question": "\n".join(texts(turn.get("prompt"))),
        "answers": [text for one in turn.get("referenceResponses", ()) for text in texts(one)],
        "contexts": [text for one in turn.get("referenceContexts", ()) for text in texts(one)],
    }


def _first(held: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((held[name] for name in names if held.get(name) not in (None, "", [], {})), None)


def _question(value: Any) -> str:
    if isinstance(value, list):  # messages of a chat: what the user said last
        said = [one.get("content") for one in value if isinstance(one, Mapping) and one.get("role", "user") == "user"]
        value = said[-1] if said else ""
    return value if isinstance(value, str) else ""


def _answers(value: Any, metadata: Mapping[str, Any], held: Mapping[str, Any]) -> tuple[str, ...]:
    """The answers, each once: all that the metadata of an export has, unless the first was changed since."""
    found = list(_texts(value))
    found += [str(held[name]) for name in sorted(held, key=_by_number) if re.fullmatch(r"answer_\d+", name)]
    known = [text for text in metadata.get("golden_answers") or () if isinstance(text, str)]
    if known and (not found or found[0] == known[0]):
        found = known
    return tuple(dict.fromkeys(text for text in found if text.strip()))


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value: a text, a number, a list of either, SQuAD's {"text": …}."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool):
        yield "yes" if value else "no"
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, Mapping):
        yield from _texts(value.get("text", value.get("content", value.get("answer"))))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def _quotes(
    held: Mapping[str, Any], metadata: Mapping[str, Any], names: Mapping[str, Sequence[str]]
) -> Iterator[Quote]:
    known = [one for one in metadata.get("evidence") or () if isinstance(one, Mapping)]
    value = _first(held, names["passage"])
    passages = list(_passages(value)) + list(_columns(held))
    where = [_name(one) for one in _listed(_first(held, names["document"]))]
    if known and (
        held.get("beir")
        or not passages
        or [p.text for p in passages] == [one.get("text") for one in known]
        or _joined(passages, known)
    ):
        yield from (
            Quote(text=str(one.get("text") or ""), doc_id=_name(one.get("doc_id")), start=_at(one)) for one in known
        )
    elif passages:
        focus = _focus(held, value)
        for number, quote in enumerate(passages):
            doc_id = quote.doc_id or (where[number] if len(where) == len(passages) else where[0] if where else "")
            start = _at(held) if quote.start is None and not number else quote.start
            yield Quote(text=quote.text, doc_id=doc_id, start=start, focus=focus)
    else:
        yield from (Quote(doc_id=name) for name in where)


def _joined(passages: Sequence[Quote], known: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one passage is all the pieces of evidence, as promptfoo's `context` holds them."""
    return len(passages) == 1 and passages[0].text == "\n\n".join(str(one.get("text")) for one in known)


def _passages(value: Any) -> Iterator[Quote]:
    for one in _listed(value):
        if isinstance(one, Mapping):
            text = next((str(one[name]) for name in _TEXTS if one.get(name)), "")
            yield Quote(
                text=HOP_PREFIX.sub("", text), doc_id=_name(one.get("doc_id") or one.get("source")), start=_at(one)
            )
        elif isinstance(one, str) and one.strip():
            yield Quote(text=HOP_PREFIX.sub("", one))


def _columns(held: Mapping[str, Any]) -> Iterator[Quote]:
    """Evidence in numbered columns, `evidence_2`, `doc_id_2`, `start_2`, as the CSV of an export has it."""
    for name in sorted((name for name in held if re.fullmatch(r"evidence_\d+", name)), key=_by_number):
        number = name.removeprefix("evidence")
        yield Quote(text=held[name], doc_id=_name(held.get(f"doc_id{number}")), start=_at(held, f"start{number}"))


def _by_number(name: str) -> int:
    digits = name.rpartition("_")[2]
    return int(digits) if digits.isdecimal() else 0


def _listed(value: Any) -> list[Any]:
    """A value as a list; a cell of a table that holds a JSON list of texts as that."""
    if isinstance(value, str) and value.startswith("["):
        try:
            inner = json.loads(value)
        except ValueError:
            return [value]
        texts = isinstance(inner, list) and all(isinstance(one, str) for one in inner)
        return inner if texts else [value]
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def _name(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _at(held: Mapping[str, Any], name: str = "start") -> int | None:
    value = held.get(name)
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _focus(held: Mapping[str, Any], context: Any) -> tuple[int, int] | None:
    """Where SQuAD says that the first answer stands in its context; None where it does not, or not rightly."""
    answers = held.get("answers")
    if isinstance(answers, list) and answers and isinstance(answers[0], Mapping):
        answers = answers[0]
    if not isinstance(answers, Mapping) or not isinstance(context, str):
        return None
    text, start = (_one(answers.get(name)) for name in ("text", "answer_start"))
    fits = isinstance(text, str) and text and isinstance(start, int) and context.startswith(text, start)
    return (start, start + len(text)) if fits else None


def _one(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value
