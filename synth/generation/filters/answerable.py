"""Refusal of questions that their passage does not fit, and of answers of another kind than asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import NEAR_DUPLICATE, UNANSWERABLE, Sample, Verdict
from synth.generation.filters.base import Corpus, Filter, as_meant
from synth.generation.matching.asked_kind import asked_kind
from synth.generation.matching.coverage import asked_words
from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified

_SHARE_WEIGHT, _MOST = 0.22, 2.0


@dataclass(frozen=True)
class Answerable(Filter):
    """Keep a sample whose passage fits the question and whose answer is of the kind asked for.

    Where the evidence is one passage, its `fit` must be at least `min_fit`. The default refuses 1 % of the human
    questions of XQuAD with their own paragraph and 62 % with the best other one, 1 % and 82 % on CMRC 2018. A question
    that was put in other words is taken as it was written. Half is enough where the style is one of typing errors.
    """

    name: ClassVar[str] = "answerable"
    order: ClassVar[int] = 30
    slack: ClassVar[Mapping[str, float]] = {"min_fit": -0.05}
    min_fit: float = 0.3

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        if sample.question_type == UNANSWERABLE:
            return self.passed("an unanswerable question is checked by 'unanswered'")
        fault = _wrong_kind(sample)
        if fault:
            return self.verdict(False, fault, 0.0)
        passages = {piece.chunk_id for piece in sample.evidence}
        if len(passages) > 1:
            return self.passed("questions on several passages are not compared")
        # Words that were chosen because the passage has not got them do not speak against it.
        question = str(sample.metadata.get("wording", {}).get("as_written") or sample.question)
        fitting = fit(question, passages.pop(), corpus)
        wanted = self.min_fit * (0.5 if sample.metadata.get("style") == "typos" else 1.0)
        return self.verdict(
            fitting >= wanted, f"the passage fits the question by {fitting:.2f}, at least {wanted:.2f} wanted", fitting
        )


def fit(question: str, chunk_id: str, corpus: Corpus) -> float:
    """Fit of a passage and a question, from 0 to 1, compared with the rest of the corpus.

    It is made of the weight of the question's words, of those that the corpus has, that stand in the passage, and of
    its BM25 score over that of the best other passage, up to twice as much. The two are weighed by a logistic
    regression on one half of the articles of XQuAD, English and Chinese: own paragraph against the best other one.
    """
    passages = corpus.passages
    words = passages.rarity.known(asked_words(question))
    share = passages.rarity.share(words, passages.passage(chunk_id).stemmed)
    same = corpus.graph.neighbours(chunk_id, NEAR_DUPLICATE)
    lead = corpus.index.standing(question, [chunk_id], same).lead
    return round(_SHARE_WEIGHT * share + (1 - _SHARE_WEIGHT) * min(lead, _MOST) / _MOST, 4)


def _wrong_kind(sample: Sample) -> str:
    """Reason why the first answer cannot be what the question word asks for, or ""."""
    asked = asked_kind(as_meant(sample), sample.language)
    if asked is None:
        return ""
    pattern, kind = asked
    answer = sample.golden_answers[0]
    folded = to_simplified(fold_width(answer)) if is_chinese(sample.language) else answer
    fits = re.search(pattern, folded, re.IGNORECASE)
    return "" if fits else f"the question asks for {kind}, the answer is '{answer[:60]}'"
