"""Refusal to answer an unanswerable question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.refusals import abstains
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class Abstention(Metric):
    """1 when the answer to an unanswerable row is empty or says that there is none; other rows have no value."""

    name = "abstention"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        if case.answerable:
            return {self.name: Undefined("the row can be answered")}
        return {self.name: float(abstains(case.answer))}
