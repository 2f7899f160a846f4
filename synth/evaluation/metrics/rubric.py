"""Rubrics of the user's own, from 1 to 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.criterion import LEVELS, Criterion
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedValue
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class Rubric(Criterion):
    """A score from 1 to 5 on levels of the user's own, as 0, 0.25, 0.5, 0.75 and 1; the median of the votes."""

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
