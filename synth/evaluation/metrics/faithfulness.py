"""Faithfulness to the contexts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.claim_verdicts import check, supported_share
from synth.evaluation.judging.claims import answer_claims, contexts_of, joined
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class Faithfulness(JudgedMetric):
    """Share of the answer's claims that the contexts, taken together, support."""

    name = "faithfulness"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        claims = yield from answer_claims(case, judge)
        verdicts = yield from check(claims, joined(contexts_of(case), judge), case, judge)
        return {self.name: supported_share(verdicts)}
