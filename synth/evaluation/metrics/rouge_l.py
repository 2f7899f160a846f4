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
        answer_tokens, golden_tokens = (rouge_tokens(case.folding.apply(text)) for text in (answer, golden))
        if not answer_tokens or not golden_tokens:
            return 0.0
        common = lcs(answer_tokens, golden_tokens)
        return f1(common / len(answer_tokens), common / len(golden_tokens))
