"""Extraction of records from JSON or YAML: lists, columns, nested forms of SQuAD, LlamaIndex and Phoenix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from synth.core.errors import InputError

_LISTS = ("examples", "goldens", "tests", "samples", "rows", "questions", "data", "dataset", "test_cases")


def records_in(value: Any, path: Path) -> list[Mapping[str, Any]]:
    """Return the records in a value read from `path`. Raises InputError if there are none."""
    records = [record for record in _records(value) if isinstance(record, Mapping)]
    if not any(records):
        raise InputError(
            f"{path} contains no record; it needs a list of objects, alone or under one of the keys {', '.join(_LISTS)}"
        )
    return records


def _records(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _squad(item) if _is_squad(item) else [item]
    elif isinstance(value, Mapping):
        yield from _of_object(value)


def _of_object(value: Mapping[str, Any]) -> Iterator[Any]:
    if {"queries", "corpus", "relevant_docs"} <= value.keys():
        yield from _retrieval(value)
    elif isinstance(value.get("inputs"), list):
        yield from _parallel(value)
    elif _is_squad(value):
        yield from _squad(value)
    elif nested := next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None):
        yield from _records(nested)
    elif value and all(isinstance(column, list) for column in value.values()):
        for cells in zip(*value.values(), strict=False):
            yield dict(zip(value, cells, strict=True))
    else:
        yield value


def _is_squad(value: Any) -> bool:
    return isinstance(value, Mapping) and any(isinstance(value.get(name), list) for name in ("paragraphs", "qas"))


def _squad(article: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the questions of an article in the format of SQuAD or CMRC 2018."""
    for paragraph in article.get("paragraphs") or [article]:
        context = paragraph.get("context", paragraph.get("context_text", ""))
        for asked in paragraph.get("qas", ()):
            yield {
                "id": asked.get("id", asked.get("query_id", "")),
                "question": asked.get("question", asked.get("query_text", "")),
                "answers": asked.get("answers", ()),
                "is_impossible": asked.get("is_impossible", False),
                "context": context,
            }


def _retrieval(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield queries of LlamaIndex with their relevant texts."""
    for name, question in value["queries"].items():
        texts = [value["corpus"].get(doc_id, "") for doc_id in value["relevant_docs"].get(name, ())]
        yield {"id": name, "question": question, "contexts": texts}


def _parallel(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the records in the parallel lists of Phoenix."""
    inputs = value["inputs"]
    rest = [value.get(name) or [{}] * len(inputs) for name in ("outputs", "metadata")]
    for entry, expected, metadata in zip(inputs, *rest, strict=False):
        yield {"inputs": entry, "outputs": expected, "metadata": metadata}
