"""Claim precision, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.sentence_claims import claim_precision
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class ClaimPrecision(AnswerMetric):
    """Share of the answer's sentences that the question and the golden answer state, compared by words."""

    name = "claim_precision"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return claim_precision(answer, golden, case.item.question)
