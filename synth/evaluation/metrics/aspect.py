"""Criteria of the user's own that are met or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.criterion import Criterion
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedValue, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class Aspect(Criterion):
    """1 when an answer meets a criterion of the user's own, defined in the file of `--criteria`."""

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
