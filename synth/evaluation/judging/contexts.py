"""Questions that a judge answers about each context by itself."""

from __future__ import annotations

from collections.abc import Mapping

from synth.evaluation.judging.claims import contexts_of
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, NoVerdict, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps

USEFUL = "judges/useful"


def useful_contexts(case: Case, answer: str, judge: Judge) -> Steps[list[bool]]:
    """For each context whether it helps to give this answer to the question."""
    text = without_orders(answer)
    if not text.strip():
        raise NoVerdict("the answer is empty")
    return (yield from each_context(case, judge, USEFUL, "useful", {"question": case.item.question, "answer": text}))


def each_context(case: Case, judge: Judge, prompt: str, field: str, values: Mapping[str, str]) -> Steps[list[bool]]:
    """A judge's `field` for each context, asked one by one. Raises NoVerdict where there is no context."""
    texts = contexts_of(case)
    if not texts:
        raise NoVerdict("the response has no context")
    inputs = [{**values, "passage": without_orders(text)} for text in texts]
    ballots = yield from judge.ask_all(prompt, case.language, [lambda _, entry=entry: entry for entry in inputs])  # type: ignore[misc]
    return [majority([ballot.data[field] for ballot in group]) for group in ballots]
