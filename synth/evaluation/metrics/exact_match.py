"""Exact match of normalised answers."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import tokens
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class ExactMatch(AnswerMetric):
    """1 when the answer equals a golden answer; case, punctuation and articles do not count, but 3.14 is not 314."""

    name = "exact_match"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return float(tokens(answer, case.folding) == tokens(golden, case.folding))
