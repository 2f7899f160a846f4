"""Precision of the tokens of an answer."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import tokens
from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class TokenPrecision(AnswerMetric):
    """Share of the answer's words that the golden answer has; Chinese by characters."""

    name = "token_precision"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return overlap(tokens(answer, case.folding), tokens(golden, case.folding))[0]
