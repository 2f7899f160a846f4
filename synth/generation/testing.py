"""Check for tests of filters in other packages.

The check uses `assert`, so it does nothing under `python -O`.
"""

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
    """Assert that a filter keeps or rejects one row as expected, and return its verdict.

    `documents` are texts by name. `evidence` is a statement that occurs in one of the documents, letter for letter. If
    it is "", the question is unanswerable. `kept` is the expected verdict. `fields` are further fields of `Sample`,
    such as `question_type` or `metadata`.

    Raise AssertionError if the verdict differs from `kept`, has no reason or has another filter's name, or if the
    filter is not a frozen dataclass. Raise ValueError if no document contains the evidence. `decide` raises ConfigError
    for a filter that needs a chat model.
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
    assert verdict.reason, f"the verdict of '{filter_.name}' has no reason: pass one to self.verdict()"
    assert verdict.kept == kept, (
        f"'{filter_.name}' {'keeps' if verdict.kept else 'rejects'} the row, which should be "
        f"{'kept' if kept else 'rejected'}: {verdict.reason}"
    )
    return verdict


def _evidence(corpus: Corpus, statement: str) -> Evidence:
    """Return a statement as evidence, from the first document that contains it; raise ValueError if none does."""
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
    raise ValueError(f"no document contains the evidence '{statement}'; copy it letter for letter from one of them")
