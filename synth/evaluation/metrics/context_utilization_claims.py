"""Share of the golden claims in the contexts that the answer uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import claims_stated, golden_sources
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class ContextUtilizationByClaims(JudgedMetric):
    """Share of the golden claims in the contexts that the answer states (RAGChecker's utilisation)."""

    name = "context_utilization_claims"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from golden_sources(case, judge)
        if not case.answer.strip():
            stated = [False] * len(traced.claims)
        else:
            stated = yield from claims_stated(traced.claims, case, judge)
        value = claim_table.utilisation(traced.table, stated)
        if value is None:
            return {
                self.name: Undefined("the contexts support no claim of the golden answer: there was nothing to use")
            }
        return {self.name: JudgedValue(value, traced.rows(stated))}
