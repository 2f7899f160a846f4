"""The evidence stands where it says, and it says the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.filters.base import Corpus, Filter
from synth.records import Sample, Verdict
from synth.text.normalise import holds
from synth.text.tokens import content_words, numbers


@dataclass(frozen=True)
class Grounded(Filter):
    """Keep a sample whose evidence is in place and whose every answer the evidence supports.

    An answer is supported when it occurs in the evidence, or when at least `min_recall` of its
    content words and all of its numbers do. The default lets one word in five be a rewording.
    """

    name: ClassVar[str] = "grounded"
    order: ClassVar[int] = 10
    min_recall: float = 0.8

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        for piece in sample.evidence:
            fault = corpus.misplaced(piece)
            if fault:
                return self.verdict(False, fault, 0.0)
        evidence = corpus.plain_evidence(sample)
        recall = min(support(answer, evidence) for answer in sample.golden_answers)
        return self.verdict(
            recall >= self.min_recall,
            f"{recall:.0%} of an answer's words stand in the evidence, at least {self.min_recall:.0%} wanted",
            round(recall, 4),
        )


def support(answer: str, evidence: str) -> float:
    """Share, from 0 to 1, of the content words of `answer` found in `evidence`; 0 when a number is not."""
    if holds(evidence, answer):
        return 1.0
    if not numbers(answer) <= numbers(evidence):
        return 0.0
    wanted = content_words(answer)
    found = set(content_words(evidence))
    return sum(word in found for word in wanted) / len(wanted) if wanted else 0.0
