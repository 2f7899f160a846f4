"""Whether the documents bear out what the answer claims, whatever was retrieved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case
from synth.evaluation.metrics.claim_verdicts import check
from synth.evaluation.metrics.claims import answer_claims
from synth.evaluation.metrics.faithfulness import supported
from synth.evaluation.metrics.judged import Judge, Judged, JudgedMetric, NoVerdict
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class FaithfulnessToGold(JudgedMetric):
    """The share of the answer's claims that the row's own evidence supports, whatever the system retrieved."""

    name = "faithfulness_gold"
    needs = "answer"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        if not case.item.evidence:
            raise NoVerdict("the row has no evidence")
        claims = yield from answer_claims(case, judge)
        text = "\n\n".join(piece.text for piece in case.item.evidence)
        found = yield from check(claims, text, case, judge)
        return {self.name: supported(found)}
