"""Claim recall, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.sentence_claims import claim_recall
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class ClaimRecall(AnswerMetric):
    """Share of the golden answer's sentences that the answer states, compared by words."""

    name = "claim_recall"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return claim_recall(answer, golden, case.item.question)
