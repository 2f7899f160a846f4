"""Golden answer within the answer."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import tokens
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class SubExactMatch(AnswerMetric):
    """1 when a golden answer occurs in the answer in whole words: "on" is not in "London"."""

    name = "sub_em"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        given, wanted = tokens(answer, case.folding), tokens(golden, case.folding)
        size = len(wanted)
        return float(bool(wanted) and any(given[i : i + size] == wanted for i in range(len(given) - size + 1)))
