"""Search for new text that contradicts a row: it repeats the statement of the evidence with another answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from synth.core.records import Sample
from synth.corpus.corpus import Corpus
from synth.corpus.matched_passages import MatchedPassage
from synth.generation.alternatives import CANDIDATES, conditions_for
from synth.retrieval.bm25 import LexicalIndex
from synth.testset.update.alignment import Alignment
from synth.testset.update.restatement import SAME_STATEMENT, Restatement, may_restate, tokens
from synth.text.locate import locate


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A document with new text that contradicts a row, and a sentence that says how."""

    doc_id: str
    text: str


def find_contradiction(
    sample: Sample, corpus: Corpus, fresh: LexicalIndex, alignment: Alignment
) -> Contradiction | None:
    """The first contradiction of a sample in new text, or None.

    The best passages of `fresh` by BM25 are examined. A sentence contradicts a sample when it is new text, restates a
    piece of the evidence with another answer, and meets the other conditions for that evidence: the names, the numbers
    and enough of the words of the question.
    """
    for index, text in enumerate(corpus.texts(sample)):
        conditions = conditions_for(sample, index, corpus)
        if not conditions.answer_values:
            continue
        without_answer, words = replace(conditions, answer_values=()), Counter(tokens(text))
        for passage in _near(sample, text, corpus, fresh):
            for line in passage.lines:
                if not may_restate(words, Counter(tokens(line.text))):
                    continue
                conflict = _conflict(sample, Restatement.of(text, line.text), conditions.answer_values)
                if not conflict or not without_answer.met_by(line.text, passage.about, corpus):
                    continue
                if _is_new(line.text, passage, corpus, alignment):
                    return Contradiction(passage.doc_id, f"'{passage.doc_id}' says {conflict}")
    return None


def _near(sample: Sample, text: str, corpus: Corpus, fresh: LexicalIndex) -> list[MatchedPassage]:
    passages: dict[str, MatchedPassage] = {}
    for query in (sample.question, text):
        for passage in corpus.passages.near(query, CANDIDATES, fresh):
            passages.setdefault(passage.chunk_id, passage)
    return list(passages.values())


def _conflict(sample: Sample, restatement: Restatement, values: tuple[str, ...]) -> str:
    """A phrase with the other value and that of the evidence; "" if they agree or the text says something else."""
    if restatement.likeness < SAME_STATEMENT:
        return ""
    # Besides the answer, a word of the question or one such as "not" changed: it is another statement.
    if restatement.misfit(sample.question, values, sample.language):
        return ""
    for value in values:
        other = restatement.counterpart(value)
        if other is not None and other != value:
            return f"'{other}' where the evidence says '{value}'"
    return ""


def _is_new(text: str, passage: MatchedPassage, corpus: Corpus, alignment: Alignment) -> bool:
    chunk = corpus.chunk(passage.chunk_id)
    document = corpus.document(passage.doc_id)
    markdown = document.metadata.get("format") == "markdown"
    span = locate(text, document.text, chunk.start, chunk.end, markdown=markdown)
    return span is not None and alignment.is_new(passage.doc_id, *span)
