"""ROUGE-1 (Lin, 2004)."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.rouge import rouge_n
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class Rouge1(AnswerMetric):
    """F1 of the words of answer and golden answer, each as often as it occurs; Chinese by characters."""

    name = "rouge_1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return rouge_n(case.folding.apply(answer), case.folding.apply(golden), 1)
