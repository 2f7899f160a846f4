"""How many of the claims of an answer the golden answer makes too."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.base import AnswerMetric, Case
from synth.evaluation.metrics.sentence_claims import asked_stems, claims, said
from synth.evaluation.metrics.word_coverage import Said, content


@dataclass(frozen=True)
class ClaimPrecision(AnswerMetric):
    """Share of the answer's sentences that the golden answer says too (claims without a model)."""

    name = "claim_precision"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return claim_precision(answer, golden, case.item.question)


def claim_precision(answer: str, golden: str, question: str) -> float:
    """The share of the claims of `answer` that `golden`, read with the question, makes; 0 for an answer without one."""
    asked = asked_stems(question)
    made = claims(answer, asked)
    known = Said.of((*content(golden), *content(question)))
    return sum(said(claim, known, asked) for claim in made) / len(made) if made else 0.0
