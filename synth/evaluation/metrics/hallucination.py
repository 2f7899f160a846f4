"""Claims that are neither right nor in the contexts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import answer_sources, claims_right
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class Hallucination(JudgedMetric):
    """Share of the answer's claims that are wrong and that no context supports (RAGChecker); less is better."""

    name = "hallucination"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from answer_sources(case, judge)
        right = yield from claims_right(traced.claims, case, judge)
        value = claim_table.unsupported(traced.table, right, right=False)
        return {
            self.name: Undefined("the answer has no claim") if value is None else JudgedValue(value, traced.rows(right))
        }
