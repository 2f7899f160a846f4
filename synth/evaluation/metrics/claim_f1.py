"""The harmonic mean of claim precision and claim recall."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.base import AnswerMetric, Case
from synth.evaluation.metrics.claim_precision import claim_precision
from synth.evaluation.metrics.claim_recall import claim_recall
from synth.evaluation.metrics.ranking import f1


@dataclass(frozen=True)
class ClaimF1(AnswerMetric):
    """Harmonic mean of claim precision and claim recall."""

    name = "claim_f1"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        question = case.item.question
        return f1(claim_precision(answer, golden, question), claim_recall(answer, golden, question))
