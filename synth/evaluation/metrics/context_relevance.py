"""Context relevance by a judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.contexts import each_context
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class ContextRelevance(JudgedMetric):
    """Share of the contexts that help to answer the question."""

    name = "context_relevance"
    needs = "contexts"
    prompts = ("judges/relevant",)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        values = {"question": case.item.question}
        relevant = yield from each_context(case, judge, "judges/relevant", "relevant", values)
        return {self.name: JudgedValue(sum(relevant) / len(relevant), {"relevant": relevant})}
