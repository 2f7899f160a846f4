"""chrF (Popović, 2015)."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.sacrebleu_scores import chrf
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class ChrF(AnswerMetric):
    """sacrebleu's chrF2 over 100: F-score of character n-grams of one to six characters, white space aside."""

    name = "chrf"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return chrf(case.folding.apply(answer), case.folding.apply(golden))
