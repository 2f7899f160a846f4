"""F1 of words, Chinese cut by dictionary."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import word_tokens
from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class WordF1(AnswerMetric):
    """F1 of the words of answer and golden answer; Chinese cut into words by dictionary."""

    name = "word_f1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return f1(*overlap(word_tokens(answer, case.folding), word_tokens(golden, case.folding)))
