"""How much of the golden answer the contexts hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case
from synth.evaluation.metrics.claim_verdicts import check
from synth.evaluation.metrics.claims import contexts_of, golden_claims, joined
from synth.evaluation.metrics.faithfulness import supported
from synth.evaluation.metrics.judged import Judge, Judged, JudgedMetric
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class ContextRecall(JudgedMetric):
    """The share of the golden answer's claims that the contexts, taken together, support."""

    name = "context_recall"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        claims = yield from golden_claims(case, judge)
        found = yield from check(claims, joined(contexts_of(case), judge), case, judge)
        return {self.name: supported(found)}
