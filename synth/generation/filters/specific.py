"""Refusal of questions that many passages fit better than their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.generation.derivation import READ
from synth.generation.filters.base import Corpus, Filter
from synth.text.stems import stem
from synth.text.tokens import content_words


@dataclass(frozen=True)
class Specific(Filter):
    """Drop a question that more than `max_rivals` other passages fit better than its own, by BM25.

    A vague question ranks its passage low because its words are everywhere. A hard one does too, so
    the bound is loose: 10 rejects 1 % of the human questions of XQuAD. A question over several passages
    is judged by its parts: each passage by the words of the question that it was read for, and what
    earlier steps made known, since the question hides the name that leads from one passage to the next.
    """

    name: ClassVar[str] = "specific"
    order: ClassVar[int] = 35
    slack: ClassVar[Mapping[str, float]] = {"max_rivals": 5}
    max_rivals: int = 10

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        if not sample.evidence:
            return self.passed()
        passages = list(dict.fromkeys(piece.chunk_id for piece in sample.evidence))
        if len(passages) > 1 and sample.steps:
            rank = max(corpus.index.rank(part, [name]) for name, part in _parts(sample, passages, corpus))
        else:
            rank = corpus.index.rank(sample.question, passages)
        return self.verdict(
            rank <= self.max_rivals + 1,
            f"{rank - 1} other passages fit the question's words better, at most {self.max_rivals} allowed",
            float(rank),
        )


def _parts(sample: Sample, passages: list[str], corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Each passage with the query that would find it."""
    for name in passages:
        pieces = {n for n, piece in enumerate(sample.evidence) if piece.chunk_id == name}
        told = corpus.passages.passage(name).told
        steps = [step for step in sample.steps if step.operation == READ and pieces & set(step.evidence)]
        known = " ".join(sample.steps[n].value for step in steps for n in step.of)
        words = " ".join(word for word in content_words(sample.question) if told.has(stem(word)))
        yield name, f"{words} {known}".strip() or sample.question
