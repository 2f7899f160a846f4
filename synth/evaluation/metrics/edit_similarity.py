"""Edit similarity of answer and golden answer."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import tokens
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class EditSimilarity(AnswerMetric):
    """1 less the share of characters to insert, delete or replace; case, punctuation and articles do not count."""

    name = "edit_similarity"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        from rapidfuzz.distance import Levenshtein

        answer_words, golden_words = (" ".join(tokens(text, case.folding)) for text in (answer, golden))
        return float(Levenshtein.normalized_similarity(answer_words, golden_words))
