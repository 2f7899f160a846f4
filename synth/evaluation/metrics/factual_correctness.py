"""Precision and recall of an answer's claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.checks import check_known
from synth.core.errors import ConfigError
from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import claims_right, claims_stated
from synth.evaluation.judging.claims import FORMS, answer_claims, golden_claims
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class FactualCorrectness(JudgedMetric):
    """F-beta of claims, with `factual_precision` and `factual_recall`.

    `form` is what claims are: "claims", sentences of their own, or "triples", subject, relation and object.
    """

    name = "factual_correctness"
    needs = "answer"
    prompts = ("judges/claims", "judges/triples", "judges/verdicts")
    beta: float = 1.0
    form: str = "claims"

    def __post_init__(self) -> None:
        check_known(f"form of {self.name}", self.form, FORMS)
        if self.beta <= 0:
            raise ConfigError(f"beta of {self.name} must be above 0, was {self.beta}")

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, "factual_precision", "factual_recall")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        expected = yield from golden_claims(case, judge, self.form)
        if not case.answer.strip():
            return dict.fromkeys(self.columns, 0.0)
        claims = yield from answer_claims(case, judge, self.form)
        right = yield from claims_right(claims, case, judge)
        stated = yield from claims_stated(expected, case, judge)
        precision, recall = claim_table.mean(right) or 0.0, claim_table.mean(stated) or 0.0
        return {
            self.name: claim_table.f_beta(precision, recall, self.beta),
            "factual_precision": JudgedValue(precision, _rows(claims, right)),
            "factual_recall": JudgedValue(recall, _rows(expected, stated)),
        }


def _rows(claims: list[str], verdicts: list[bool]) -> list[dict[str, object]]:
    return [{"claim": claim, "supported": supported} for claim, supported in zip(claims, verdicts, strict=True)]
