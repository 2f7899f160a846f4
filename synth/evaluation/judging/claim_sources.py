"""Where claims come from: which of the contexts support each of them, as a judge finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.judging.claim_verdicts import SUPPORTED, ClaimVerdict, check, check_each
from synth.evaluation.judging.claims import answer_claims, contexts_of, golden, golden_claims, stated
from synth.evaluation.judging.judged_metric import Judge, NoVerdict
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True, slots=True)
class Traced:
    """Claims, and for each of them what each context says of it."""

    claims: list[str]
    found: list[list[ClaimVerdict]]

    @property
    def table(self) -> list[list[bool]]:
        """A row a claim, a column a context: true for supported."""
        return [[one.verdict == SUPPORTED for one in row] for row in self.found]

    def rows(self, right: Sequence[bool] = ()) -> list[dict[str, object]]:
        """As JSON values: a claim with the numbers, from 1, of the contexts that support it."""
        made: list[dict[str, object]] = [
            {"claim": claim, "contexts": [i for i, has in enumerate(row, start=1) if has]}
            for claim, row in zip(self.claims, self.table, strict=True)
        ]
        return [{**row, "right": bool(one)} for row, one in zip(made, right, strict=True)] if right else made


def answer_sources(case: Case, judge: Judge) -> Steps[Traced]:
    """The answer's claims in each context."""
    claims = yield from answer_claims(case, judge)
    return (yield from _traced(claims, case, judge))


def golden_sources(case: Case, judge: Judge) -> Steps[Traced]:
    """The golden answer's claims in each context."""
    claims = yield from golden_claims(case, judge)
    return (yield from _traced(claims, case, judge))


def _traced(claims: list[str], case: Case, judge: Judge) -> Steps[Traced]:
    texts = contexts_of(case)
    if not texts:
        raise NoVerdict("the response has no context")
    by_text = yield from check_each(claims, texts, case, judge)
    return Traced(claims, [list(row) for row in zip(*by_text, strict=True)])


def right(claims: Sequence[str], case: Case, judge: Judge) -> Steps[list[bool]]:
    """Whether the golden answer bears out each claim of the answer."""
    found = yield from check(claims, stated(case, golden(case)), case, judge)
    return [one.verdict == SUPPORTED for one in found]


def said(claims: Sequence[str], case: Case, judge: Judge) -> Steps[list[bool]]:
    """Whether the answer bears out each claim of the golden answer."""
    found = yield from check(claims, stated(case, case.answer), case, judge)
    return [one.verdict == SUPPORTED for one in found]
