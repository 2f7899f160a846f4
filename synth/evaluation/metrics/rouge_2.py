"""ROUGE-2 (Lin, 2004)."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.rouge import rouge_n
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class Rouge2(AnswerMetric):
    """F1 of the pairs of successive words; Chinese by characters."""

    name = "rouge_2"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return rouge_n(case.folding.apply(answer), case.folding.apply(golden), 2)
