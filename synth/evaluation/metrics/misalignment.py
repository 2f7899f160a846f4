"""Agreement of the ranking with the answer's use of the passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.claim_sources import answer_sources
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.measuring import attribution
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class Misalignment(JudgedMetric):
    """1 less the nDCG, by rank, of the number of claims each context supports; with `top_ignored`; less is better."""

    name = "misalignment"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, "top_ignored")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from answer_sources(case, judge)
        uses = [float(sum(column)) for column in zip(*traced.table, strict=True)]
        gap = attribution.misalignment(uses)
        value: Judged = Undefined("no context was used") if gap is None else JudgedValue(gap, traced.rows())
        return {self.name: value, "top_ignored": attribution.top_ignored(uses)}
