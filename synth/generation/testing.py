"""Check for tests of filters that live in other packages; it asserts, so it does nothing under `python -O`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from synth.core.records import UNANSWERABLE, Evidence, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.testing import corpus_from, markdown_document
from synth.generation.filters.base import Filter
from synth.text.language import detect


def check_filter(
    filter_: Filter,
    documents: Mapping[str, str],
    question: str,
    answer: str = "",
    evidence: str = "",
    *,
    kept: bool,
    **fields: Any,
) -> Verdict:
    """Assert that a filter keeps one row, or rejects it, and return its verdict.

    `documents` are texts by name. `evidence` is a statement that one of them holds, letter for letter; without it the
    question is an unanswerable one. `kept` is the verdict expected. `fields` are further fields of `Sample`, such as
    `question_type` or `metadata`. Raises AssertionError when the verdict differs from `kept`, has no reason or carries
    another filter's name, or when the filter is not a frozen dataclass; ValueError when no document holds the evidence;
    ConfigError (from `decide`) for a filter that needs a chat model.
    """
    kind = type(filter_)
    assert is_dataclass(filter_), f"{kind.__name__} must be a dataclass: its fields are its thresholds"
    assert kind.__dataclass_params__.frozen, f"{kind.__name__} must be frozen: @dataclass(frozen=True)"  # type: ignore[attr-defined]
    corpus = corpus_from(markdown_document(name, text, "") for name, text in documents.items())
    pieces = (_evidence(corpus, evidence),) if evidence else ()
    values = {"question_type": "simple" if pieces else UNANSWERABLE, "language": detect(question), **fields}
    sample = Sample(question=question, golden_answers=(answer,) if answer else (), evidence=pieces, **values)
    verdict = filter_.decide(sample, corpus)
    assert verdict.filter == filter_.name, (
        f"the verdict names the filter '{verdict.filter}', not '{filter_.name}': create it with self.verdict()"
    )
    assert verdict.reason, f"'{filter_.name}' gives no reason"
    assert verdict.kept == kept, (
        f"'{filter_.name}' {'keeps' if verdict.kept else 'rejects'} the row, which should be "
        f"{'kept' if kept else 'rejected'}: {verdict.reason}"
    )
    return verdict


def _evidence(corpus: Corpus, statement: str) -> Evidence:
    """A statement as evidence, in the first document that holds it. Raises ValueError when none does."""
    for document in corpus.documents():
        start = document.text.find(statement)
        passage = corpus.chunk_at(document.doc_id, start) if start >= 0 else None
        if passage:
            return Evidence(
                doc_id=document.doc_id,
                doc_hash=document.content_hash,
                chunk_id=passage.chunk_id,
                start=start,
                end=start + len(statement),
                text=statement,
            )
    raise ValueError(f"no document holds the evidence '{statement}'")
