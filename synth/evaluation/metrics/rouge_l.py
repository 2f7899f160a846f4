"""ROUGE-L (Lin, 2004)."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.rouge import lcs, rouge_tokens
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class RougeL(AnswerMetric):
    """F1 of the longest common subsequence of words; Chinese by characters."""

    name = "rouge_l"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        given, wanted = rouge_tokens(case.folding.apply(answer)), rouge_tokens(case.folding.apply(golden))
        if not given or not wanted:
            return 0.0
        common = lcs(given, wanted)
        return f1(common / len(given), common / len(wanted))
