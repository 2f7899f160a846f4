"""How early, among the contexts, those come that the answer made use of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case
from synth.evaluation.metrics.context_precision import PROMPT, useful
from synth.evaluation.metrics.context_precision_evidence import averaged
from synth.evaluation.metrics.judged import Judge, Judged, JudgedMetric, JudgedValue
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class ContextUtilizationRanked(JudgedMetric):
    """Precision at each context that helps to the system's own answer, averaged over those (Ragas' utilisation)."""

    name = "context_utilization_ranked"
    needs = "contexts"
    prompts = (PROMPT,)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        matters = yield from useful(case, case.answer, judge)
        return {self.name: JudgedValue(averaged(matters), {"useful": matters})}
