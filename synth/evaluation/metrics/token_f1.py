"""F1 of the tokens of answer and golden answer."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import tokens
from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class TokenF1(AnswerMetric):
    """F1 of the words of answer and golden answer; Chinese by characters."""

    name = "token_f1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return f1(*overlap(tokens(answer, case.folding), tokens(golden, case.folding)))
