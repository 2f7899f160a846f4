"""Exact match, once case, punctuation, articles and what is folded are set aside."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import tokens
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class ExactMatch(AnswerMetric):
    """1 when the answer is a golden answer; case, punctuation and articles aside, but 3.14 is not 314."""

    name = "exact_match"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return float(tokens(answer, case.folding) == tokens(golden, case.folding))
