"""Context precision by a judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.claims import golden
from synth.evaluation.judging.contexts import USEFUL, useful_contexts
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.measuring.ranking import average_precision_of
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class ContextPrecision(JudgedMetric):
    """Precision at each context that helps to give the golden answer, averaged over those contexts (Ragas)."""

    name = "context_precision"
    needs = "contexts"
    prompts = (USEFUL,)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        useful = yield from useful_contexts(case, golden(case), judge)
        return {self.name: JudgedValue(average_precision_of(useful), {"useful": useful})}
