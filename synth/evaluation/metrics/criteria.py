"""Criteria that the user defines and a judge decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.claims import joined
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps

LEVELS = ("1", "2", "3", "4", "5")
"""Names of the levels of a rubric."""


@dataclass(frozen=True)
class Criterion(JudgedMetric):
    """A criterion that the user defines; `called` is the user's name for it.

    If `contexts` is true, the judge sees the contexts; if `golden` is true, the golden answers.
    """

    needs = "answer"
    called: str
    contexts: bool = False
    golden: bool = False

    @property
    def title(self) -> str:
        return self.called

    def shown(self, case: Case, judge: Judge) -> dict[str, str]:
        """Return the inputs that the prompts of all criteria share. Raises NoVerdict if the answer is empty."""
        answer = without_orders(case.answer)
        if not answer.strip():
            raise NoVerdict("the answer is empty")
        texts = [without_orders(context.text) for context in case.contexts] if self.contexts else []
        return {
            "question": case.item.question,
            "answer": answer,
            "contexts": joined(texts, judge) or "-",
            "golden": "\n".join(case.item.golden_answers) if self.golden and case.item.golden_answers else "-",
        }


@dataclass(frozen=True)
class Aspect(Criterion):
    """1 if an answer meets a criterion that the user defines in the file of `--criteria`."""

    name = "aspect"
    prompts = ("judges/aspect",)
    criterion: str = ""

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        values = {**self.shown(case, judge), "criterion": self.criterion}
        ballots = yield from judge.ask("judges/aspect", case.language, values)
        met = majority([ballot["met"] for ballot in ballots])
        return {self.title: JudgedValue(float(met), [ballot["reason"] for ballot in ballots])}

    def definition(self) -> str:
        return self.criterion


@dataclass(frozen=True)
class Rubric(Criterion):
    """Median score from 1 to 5 on levels that the user defines, scaled to 0, 0.25, 0.5, 0.75 and 1."""

    name = "rubric"
    prompts = ("judges/rubric",)
    levels: tuple[str, ...] = ()

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        levels = "\n".join(f"{name}: {says}" for name, says in zip(LEVELS, self.levels, strict=True))
        values = {**self.shown(case, judge), "levels": levels}
        ballots = yield from judge.ask("judges/rubric", case.language, values)
        scores = sorted(ballot["score"] for ballot in ballots)
        middle = scores[(len(scores) - 1) // 2]
        return {
            self.title: JudgedValue((middle - 1) / 4, {"scores": scores, "reasons": [b["reason"] for b in ballots]})
        }

    def definition(self) -> str:
        return " ".join(f"{name}: {says}" for name, says in zip(LEVELS, self.levels, strict=True))
