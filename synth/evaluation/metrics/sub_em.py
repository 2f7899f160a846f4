"""Golden answer within the answer."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_normalisation import ARTICLES, tokens
from synth.evaluation.measuring.overlap import has_run
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class SubExactMatch(AnswerMetric):
    """1 when the tokens of a golden answer occur in a row: "on" is not in "London"; Chinese by character.

    Articles do not count, unless the golden answer has nothing else, as the grade "A".
    """

    name = "sub_em"
    version = 2

    def compare(self, answer: str, golden: str, case: Case) -> float:
        golden_tokens = tokens(golden, case.folding)
        answer_tokens = tokens(answer, case.folding, with_articles=ARTICLES.issuperset(golden_tokens))
        return float(has_run(answer_tokens, golden_tokens))
