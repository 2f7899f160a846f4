"""Filter that drops rows whose evidence is misplaced or does not support the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import ADOPTED, UNANSWERABLE, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import StemmedText, asked_words
from synth.generation.filters.base import Filter
from synth.generation.filters.reckoned import value
from synth.generation.matching.agreement import says_yes
from synth.generation.matching.scale import without_scale
from synth.text.markup import plain
from synth.text.normalise import holds
from synth.text.tokens import content_words, numbers

_SPOKEN_OF = 0.5
"""Minimum share of a yes-or-no question's words that the evidence must contain."""


@dataclass(frozen=True)
class Grounded(Filter):
    """Keep a sample whose evidence is in place and supports every answer.

    An answer is supported if it occurs in the evidence. It is also supported if the evidence contains all its numbers,
    and at least the share `min_recall` (0 to 1) of its content words. A yes or no is supported if the evidence covers
    the question. An amount from a table in thousands or millions must not lack its scale. The default allows one
    reworded word in five. An adopted question with answers of several people needs only one supported answer, because
    each person may have read another place.
    """

    name: ClassVar[str] = "grounded"
    order: ClassVar[int] = 10
    min_recall: float = 0.8

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        for piece in sample.evidence:
            fault = corpus.misplaced(piece)
            if fault:
                return self.verdict(False, fault, 0.0)
        if sample.question_type == UNANSWERABLE:
            return self.passed()
        if amount := without_scale(sample, corpus):
            return self.verdict(False, f"'{amount}' lacks its scale, such as 'million', which its document states", 0.0)
        evidence = corpus.plain_evidence(sample)
        if reckoning := str(sample.metadata.get("reckoning") or ""):
            missing = sorted(numbers(reckoning.split()[0]) - numbers(evidence))
            if value(reckoning) is not None and not missing:
                return self.passed("the evidence contains the numbers that the answer is calculated from")
        recalls = [_recall(plain(answer).text, evidence, sample) for answer in sample.golden_answers]
        recall = max(recalls) if sample.metadata.get("source") == ADOPTED else min(recalls)
        return self.verdict(
            recall >= self.min_recall,
            f"{recall:.0%} of an answer's words occur in the evidence, at least {self.min_recall:.0%} needed",
            round(recall, 4),
        )


def _recall(answer: str, evidence: str, sample: Sample) -> float:
    """Return the support of an answer, from 0 to 1.

    A yes or no is supported if the evidence covers the question.
    """
    recall = support(answer, evidence)
    if says_yes(answer) is not None:
        stemmed = StemmedText.of(evidence)
        asked = asked_words(sample.question)
        share = sum(stemmed.has(word) for word in asked) / len(asked) if asked else 0.0
        return max(recall, 1.0 if share >= _SPOKEN_OF else share)
    return recall


def support(answer: str, evidence: str) -> float:
    """Return the share, from 0 to 1, of the content words of `answer` in `evidence`.

    It is 0 if a number of the answer is missing, and 1 if the evidence contains the whole answer.
    """
    if holds(evidence, answer):
        return 1.0
    if not numbers(answer) <= numbers(evidence):
        return 0.0
    answer_words = content_words(answer)
    present = set(content_words(evidence))
    return sum(word in present for word in answer_words) / len(answer_words) if answer_words else 0.0
