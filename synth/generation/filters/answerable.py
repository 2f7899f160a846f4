"""Filter that drops questions that do not fit their passage, and answers of another kind than the question asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import UNANSWERABLE, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import asked_words
from synth.generation.filters.base import Filter, as_meant
from synth.generation.matching.asked_kind import asked_kind

_SHARE_WEIGHT, _MAX_LEAD = 0.22, 2.0


@dataclass(frozen=True)
class Answerable(Filter):
    """Keep a sample whose passage fits the question and whose answer is of the kind asked for.

    If the evidence is in one passage, the `fit` of that passage must be at least `min_fit`. A passage that contains all
    words of the question also fits, as a glossary does for "What does the term Claimant mean?". The default rejects 1 %
    of the human questions of XQuAD and CMRC 2018 with their own paragraph. If each question gets the best other
    paragraph instead, it rejects 62 % of XQuAD and 82 % of CMRC 2018.
    """

    name: ClassVar[str] = "answerable"
    order: ClassVar[int] = 30
    slack: ClassVar[Mapping[str, float]] = {"min_fit": -0.05}
    min_fit: float = 0.3

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        if sample.question_type == UNANSWERABLE:
            return self.passed("the filter 'unanswered' checks unanswerable questions")
        question = as_meant(sample)
        kind = asked_kind(question, sample.language)
        answer = sample.golden_answers[0]
        if kind is not None and not kind.fits(answer):
            return self.verdict(False, f"the question asks for {kind.name}, the answer is '{answer[:60]}'", 0.0)
        chunk_ids = {piece.chunk_id for piece in sample.evidence}
        if len(chunk_ids) != 1:
            return self.passed("not checked, because the evidence is in several passages")
        chunk_id = chunk_ids.pop()
        score = fit(question, chunk_id, corpus)
        return self.verdict(
            score >= self.min_fit or _share(question, chunk_id, corpus) == 1,
            f"the fit of passage and question is {score:.2f}, the minimum is {self.min_fit:.2f}",
            score,
        )


def _share(question: str, chunk_id: str, corpus: Corpus) -> float:
    """Return the share of a question's words in a passage, weighted by rarity, ignoring words unknown to the corpus."""
    passages = corpus.passages
    return passages.rarity.share(passages.rarity.known(asked_words(question)), passages.passage(chunk_id).stemmed)


def fit(question: str, chunk_id: str, corpus: Corpus) -> float:
    """Return the fit of a passage and a question, from 0 to 1, compared with the rest of the corpus.

    It is the weighted sum of two values. One is the share of the question's words in the passage, weighted by rarity
    and ignoring words unknown to the corpus. The other is the ratio of the passage's BM25 score to that of the best
    other passage, capped at 2 and halved. The weights come from a logistic regression on half of the XQuAD articles,
    English and Chinese.
    """
    same = corpus.near_duplicates(chunk_id)
    lead = corpus.index.standing(question, [chunk_id], same).lead
    return round(
        _SHARE_WEIGHT * _share(question, chunk_id, corpus) + (1 - _SHARE_WEIGHT) * min(lead, _MAX_LEAD) / _MAX_LEAD, 4
    )
