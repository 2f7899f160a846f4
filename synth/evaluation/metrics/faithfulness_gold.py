"""Faithfulness to the evidence of the row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.claim_verdicts import check, supported_share
from synth.evaluation.judging.claims import answer_claims
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, NoVerdict
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class FaithfulnessToGold(JudgedMetric):
    """Share of the answer's claims that the row's own evidence supports, whatever the system retrieved."""

    name = "faithfulness_gold"
    needs = "answer"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        if not case.item.evidence:
            raise NoVerdict("the row has no evidence")
        claims = yield from answer_claims(case, judge)
        text = "\n\n".join(piece.text for piece in case.item.evidence)
        verdicts = yield from check(claims, text, case, judge)
        return {self.name: supported_share(verdicts)}
