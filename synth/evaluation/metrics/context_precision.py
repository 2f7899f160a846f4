"""How early, among the contexts, those come that help to the golden answer, as a judge sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case
from synth.evaluation.metrics.claims import contexts_of, golden
from synth.evaluation.metrics.context_precision_evidence import averaged
from synth.evaluation.metrics.judge_injection import without_orders
from synth.evaluation.metrics.judged import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict, majority
from synth.models.chat.base import Steps

PROMPT = "judges/useful"


@dataclass(frozen=True)
class ContextPrecision(JudgedMetric):
    """Precision at each context that helps to the golden answer, averaged over those (Ragas' formula, no MAP)."""

    name = "context_precision"
    needs = "contexts"
    prompts = (PROMPT,)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        matters = yield from useful(case, golden(case), judge)
        return {self.name: JudgedValue(averaged(matters), {"useful": matters})}


def useful(case: Case, answer: str, judge: Judge) -> Steps[list[bool]]:
    """Of each context whether it helps to give this answer to the question."""
    told = without_orders(answer)
    if not told.strip():
        raise NoVerdict("the answer is empty")
    return (yield from each_context(case, judge, PROMPT, "useful", {"question": case.item.question, "answer": told}))


def each_context(case: Case, judge: Judge, prompt: str, field: str, values: Mapping[str, str]) -> Steps[list[bool]]:
    """What a judge says in `field` of each context, asked of each by itself. Raises NoVerdict where there is none."""
    texts: Sequence[str] = contexts_of(case)
    if not texts:
        raise NoVerdict("the response has no context")
    asked = [{**values, "passage": without_orders(text)} for text in texts]
    ballots = yield from judge.ask_all(prompt, case.language, [lambda _, one=one: one for one in asked])  # type: ignore[misc]
    return [majority([ballot.data[field] for ballot in cast]) for cast in ballots]
