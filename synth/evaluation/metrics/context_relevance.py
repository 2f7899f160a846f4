"""How many of the contexts are about the question at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case
from synth.evaluation.metrics.context_precision import each_context
from synth.evaluation.metrics.judged import Judge, Judged, JudgedMetric, JudgedValue
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class ContextRelevance(JudgedMetric):
    """The share of the contexts that hold something to answer the question with."""

    name = "context_relevance"
    needs = "contexts"
    prompts = ("judges/relevant",)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        values = {"question": case.item.question}
        found = yield from each_context(case, judge, "judges/relevant", "relevant", values)
        return {self.name: JudgedValue(sum(found) / len(found), {"relevant": found})}
