"""Contradiction of a row by new text: the statement of its evidence with another value for the answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from synth.core.records import Sample
from synth.generation.alternatives import CANDIDATES, need_of
from synth.generation.filters.base import Corpus
from synth.generation.matching.passages import MatchedPassage
from synth.retrieval.bm25 import LexicalIndex
from synth.testset.update.alignment import Alignment
from synth.testset.update.restatement import SAME_STATEMENT, Restatement, tokens
from synth.text.locate import locate


def contradicted(sample: Sample, corpus: Corpus, among: LexicalIndex, alignment: Alignment) -> tuple[str, str] | None:
    """The document with new text that contradicts a sample, and the contradiction; None without one.

    The best passages of `among` by BM25 are examined. A sentence contradicts a sample when it restates a piece of its
    evidence with another answer, has all that the question names, and is in a new paragraph.
    """
    for number, text in enumerate(corpus.texts(sample)):
        need = need_of(sample, number, corpus)
        if not need.values:
            continue
        bare, own = replace(need, values=()), Counter(tokens(text))
        for passage in _near(sample, text, corpus, among):
            for line in passage.lines:
                if (own & Counter(tokens(line.text))).total() < SAME_STATEMENT * 0.8 * own.total():
                    continue
                conflict = _conflict(sample, Restatement.of(text, line.text), need.values)
                if not conflict or not bare.met(line.text, passage.about, corpus):
                    continue
                if _is_new(line.text, passage, corpus, alignment):
                    return passage.doc_id, f"'{passage.doc_id}' says {conflict}"
    return None


def _near(sample: Sample, text: str, corpus: Corpus, among: LexicalIndex) -> list[MatchedPassage]:
    passages: dict[str, MatchedPassage] = {}
    for query in (sample.question, text):
        for passage in corpus.passages.near(query, CANDIDATES, among):
            passages.setdefault(passage.chunk_id, passage)
    return list(passages.values())


def _conflict(sample: Sample, restatement: Restatement, values: tuple[str, ...]) -> str:
    """The other value for the answer in a restatement of the evidence, or ""."""
    if restatement.likeness < SAME_STATEMENT or restatement.misfit(sample.question, values, sample.language):
        return ""
    for value in values:
        other = restatement.answer(value)
        if other is not None and other != value:
            return f"'{other}' where the evidence says '{value}'"
    return ""


def _is_new(text: str, passage: MatchedPassage, corpus: Corpus, alignment: Alignment) -> bool:
    chunk = corpus.graph.chunk(passage.chunk_id)
    document = corpus.graph.document(passage.doc_id)
    markdown = document.metadata.get("format") == "markdown"
    span = locate(text, document.text, chunk.start, chunk.end, markdown=markdown)
    return span is not None and alignment.is_new(passage.doc_id, *span)
