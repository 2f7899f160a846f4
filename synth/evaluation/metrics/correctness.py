"""Correctness of an answer as people judge it, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_agreement import agreement
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class Correctness(AnswerMetric):
    """doc"""

    name = "correctness"
    version = 3

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return agreement(golden, answer, case.item.question, case.item.golden_answers)
