"""Wrong claims that the contexts led to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import answer_sources, claims_right, golden_sources
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class NoiseSensitivity(JudgedMetric):
    """Shares of the answer's claims that are wrong and supported by relevant, or only by irrelevant, contexts.

    Less is better. A context is relevant when it supports a claim of the golden answer (RAGChecker).
    """

    name = "noise_sensitivity"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("noise_sensitivity_relevant", "noise_sensitivity_irrelevant")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        expected = yield from golden_sources(case, judge)
        traced = yield from answer_sources(case, judge)
        right = yield from claims_right(traced.claims, case, judge)
        shares = claim_table.noise(traced.table, expected.table, right)
        if shares is None:
            return dict.fromkeys(self.columns, Undefined("the answer has no claim"))
        rows = traced.rows(right)
        return {name: JudgedValue(value, rows) for name, value in zip(self.columns, shares, strict=True)}
