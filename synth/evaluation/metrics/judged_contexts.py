"""Metrics of contexts by a judge: whether they contain the answer and whether the answer uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import answer_sources, claims_stated, golden_sources
from synth.evaluation.judging.claim_verdicts import check, supported_share
from synth.evaluation.judging.claims import contexts_of, golden, golden_claims, joined
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict, majority
from synth.evaluation.measuring import attribution
from synth.evaluation.measuring.ranking import average_precision_of
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Steps

USEFUL = "judges/useful"


def useful_contexts(case: Case, answer: str, judge: Judge) -> Steps[list[bool]]:
    """Return for each context whether it helps to give this answer to the question.

    Raises NoVerdict if the answer is empty or there is no context.
    """
    text = without_orders(answer)
    if not text.strip():
        raise NoVerdict("the answer is empty")
    return (yield from each_context(case, judge, USEFUL, "useful", {"question": case.item.question, "answer": text}))


def each_context(case: Case, judge: Judge, prompt: str, field: str, values: Mapping[str, str]) -> Steps[list[bool]]:
    """Ask the judge about each context separately and return its `field` for each context.

    Raises NoVerdict if there is no context.
    """
    texts = contexts_of(case)
    if not texts:
        raise NoVerdict("the response has no context")
    inputs = [{**values, "passage": without_orders(text)} for text in texts]
    ballots = yield from judge.ask_all(prompt, case.language, [lambda _, entry=entry: entry for entry in inputs])  # type: ignore[misc]
    return [majority([ballot.data[field] for ballot in group]) for group in ballots]


@dataclass(frozen=True)
class ContextPrecision(JudgedMetric):
    """Precision at each context that helps to give the golden answer, averaged over those contexts (Ragas)."""

    name = "context_precision"
    needs = "contexts"
    prompts = (USEFUL,)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        useful = yield from useful_contexts(case, golden(case), judge)
        return {self.name: JudgedValue(average_precision_of(useful), {"useful": useful})}


@dataclass(frozen=True)
class ContextPrecisionByClaims(JudgedMetric):
    """Share of the contexts that support a claim of the golden answer, in any order (RAGChecker)."""

    name = "context_precision_claims"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from golden_sources(case, judge)
        value = claim_table.mean(claim_table.useful(traced.table))
        return {
            self.name: Undefined("the response has no context") if value is None else JudgedValue(value, traced.rows())
        }


@dataclass(frozen=True)
class ContextRecall(JudgedMetric):
    """Share of the golden answer's claims that the contexts, taken together, support."""

    name = "context_recall"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        claims = yield from golden_claims(case, judge)
        verdicts = yield from check(claims, joined(contexts_of(case), judge), case, judge)
        return {self.name: supported_share(verdicts)}


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


@dataclass(frozen=True)
class ContextUtilizationByClaims(JudgedMetric):
    """Share of golden claims that the answer states, among those that contexts support (RAGChecker's utilisation)."""

    name = "context_utilization_claims"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from golden_sources(case, judge)
        if not case.answer.strip():
            stated = [False] * len(traced.claims)
        else:
            stated = yield from claims_stated(traced.claims, case, judge)
        value = claim_table.utilisation(traced.table, stated)
        if value is None:
            return {
                self.name: Undefined("the contexts support no claim of the golden answer, so the answer could use none")
            }
        return {self.name: JudgedValue(value, traced.rows(stated))}


@dataclass(frozen=True)
class ContextUtilizationRanked(JudgedMetric):
    """Precision at each context that helps to give the system's answer, averaged over those contexts (Ragas)."""

    name = "context_utilization_ranked"
    needs = "contexts"
    prompts = (USEFUL,)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        useful = yield from useful_contexts(case, case.answer, judge)
        return {self.name: JudgedValue(average_precision_of(useful), {"useful": useful})}


@dataclass(frozen=True)
class Misalignment(JudgedMetric):
    """1 minus the nDCG of the number of claims that each context supports, with `top_ignored`; lower is better."""

    name = "misalignment"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, "top_ignored")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from answer_sources(case, judge)
        uses = [float(sum(column)) for column in zip(*traced.table, strict=True)]
        gap = attribution.misalignment(uses)
        value: Judged = Undefined("no context was used") if gap is None else JudgedValue(gap, traced.rows())
        return {self.name: value, "top_ignored": attribution.top_ignored(uses)}
