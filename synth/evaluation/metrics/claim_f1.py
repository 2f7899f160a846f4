"""Claim F1: agreement of an answer and a golden answer by claims, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.sentence_claims import claim_precision, claim_recall
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class ClaimF1(AnswerMetric):
    """Harmonic mean of `claim_precision` and `claim_recall`; each sentence is a claim, compared by its words."""

    name = "claim_f1"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        question = case.item.question
        return f1(claim_precision(answer, golden, question), claim_recall(answer, golden, question))
