"""Correctness of an answer, by its claims and its meaning as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.checks import check_range
from synth.core.errors import ConfigError
from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import claims_right, claims_stated
from synth.evaluation.judging.claims import answer_claims, golden, golden_claims
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class AnswerCorrectness(JudgedMetric):
    """F-beta of claims against the golden answer, and cosine with it, weighted 0.75 and 0.25 as in Ragas."""

    name = "answer_correctness"
    needs = "answer"
    prompts = ("judges/claims", "judges/verdicts")
    claims_weight: float = 0.75
    beta: float = 1.0

    def __post_init__(self) -> None:
        check_range(f"claims_weight of {self.name}", self.claims_weight)
        if self.beta <= 0:
            raise ConfigError(f"beta of {self.name} must be above 0, was {self.beta}")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        expected = yield from golden_claims(case, judge)
        if not case.answer.strip():
            return {self.name: 0.0}
        claims = yield from answer_claims(case, judge)
        right = yield from claims_right(claims, case, judge)
        stated = yield from claims_stated(expected, case, judge)
        precision, recall = claim_table.mean(right) or 0.0, claim_table.mean(stated) or 0.0
        by_claims = claim_table.f_beta(precision, recall, self.beta)
        (similarity,) = judge.similar(case.answer, [golden(case)]) if self.claims_weight < 1 else [0.0]
        value = self.claims_weight * by_claims + (1 - self.claims_weight) * similarity
        detail = {"precision": precision, "recall": recall, "similarity": round(similarity, 6)}
        return {self.name: JudgedValue(value, detail)}
