"""Whether the contexts bear out what the answer claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics import claim_table
from synth.evaluation.metrics.base import Case, Undefined
from synth.evaluation.metrics.claim_verdicts import SUPPORTED, ClaimVerdict, check
from synth.evaluation.metrics.claims import answer_claims, contexts_of, joined
from synth.evaluation.metrics.judged import Judge, Judged, JudgedMetric, JudgedValue
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class Faithfulness(JudgedMetric):
    """The share of the answer's claims that the contexts, taken together, support."""

    name = "faithfulness"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        claims = yield from answer_claims(case, judge)
        found = yield from check(claims, joined(contexts_of(case), judge), case, judge)
        return {self.name: supported(found)}


def supported(found: list[ClaimVerdict]) -> Judged:
    """The share of findings that are supported, with all of them."""
    value = claim_table.mean([one.verdict == SUPPORTED for one in found])
    return Undefined("there is no claim") if value is None else JudgedValue(value, [one.row() for one in found])
