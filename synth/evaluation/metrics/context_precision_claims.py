"""Share of the contexts that hold claims of the golden answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import golden_sources
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class ContextPrecisionByClaims(JudgedMetric):
    """Share of the contexts that support a claim of the golden answer, whatever their order (RAGChecker)."""

    name = "context_precision_claims"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from golden_sources(case, judge)
        value = claim_table.mean(claim_table.useful(traced.table))
        return {
            self.name: Undefined("the response has no context") if value is None else JudgedValue(value, traced.rows())
        }
