"""Sources of claims: the contexts that support each claim, according to a judge."""

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
    """Claims, each with one verdict per context."""

    claims: list[str]
    verdicts: list[list[ClaimVerdict]]

    @property
    def table(self) -> list[list[bool]]:
        """One row per claim with one value per context: whether the context supports the claim."""
        return [[verdict.verdict == SUPPORTED for verdict in row] for row in self.verdicts]

    def rows(self, right: Sequence[bool] = ()) -> list[dict[str, object]]:
        """Return each claim as JSON values, with the numbers (from 1) of the contexts that support it.

        If `right` is given, each claim also contains whether it is right.
        """
        rows: list[dict[str, object]] = [
            {"claim": claim, "contexts": [i for i, has in enumerate(row, start=1) if has]}
            for claim, row in zip(self.claims, self.table, strict=True)
        ]
        return [{**row, "right": bool(is_right)} for row, is_right in zip(rows, right, strict=True)] if right else rows


def answer_sources(case: Case, judge: Judge) -> Steps[Traced]:
    """Check the claims of the answer against each context."""
    claims = yield from answer_claims(case, judge)
    return (yield from _traced(claims, case, judge))


def golden_sources(case: Case, judge: Judge) -> Steps[Traced]:
    """Check the claims of the golden answer against each context."""
    claims = yield from golden_claims(case, judge)
    return (yield from _traced(claims, case, judge))


def _traced(claims: list[str], case: Case, judge: Judge) -> Steps[Traced]:
    texts = contexts_of(case)
    if not texts:
        raise NoVerdict("the response has no context")
    by_text = yield from check_each(claims, texts, case, judge)
    return Traced(claims, [list(row) for row in zip(*by_text, strict=True)])


def claims_right(claims: Sequence[str], case: Case, judge: Judge) -> Steps[list[bool]]:
    """Return for each claim of the answer whether the golden answer supports it."""
    verdicts = yield from check(claims, stated(case, golden(case)), case, judge)
    return [verdict.verdict == SUPPORTED for verdict in verdicts]


def claims_stated(claims: Sequence[str], case: Case, judge: Judge) -> Steps[list[bool]]:
    """Return for each claim of the golden answer whether the system's answer supports it."""
    verdicts = yield from check(claims, stated(case, case.answer), case, judge)
    return [verdict.verdict == SUPPORTED for verdict in verdicts]
