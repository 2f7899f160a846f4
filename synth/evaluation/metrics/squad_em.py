"""Exact match of SQuAD 2.0 (Rajpurkar et al., 2018)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.squad import squad_golden, squad_normalised
from synth.evaluation.metrics.base import Case, Metric, Value


@dataclass(frozen=True)
class SquadExactMatch(Metric):
    """Exact match of SQuAD 2.0; an unanswerable row wants the empty answer. 3.14 is 314 here."""

    name = "squad_em"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        return {self.name: float(squad_normalised(case.answer) in squad_golden(case.item.golden_answers))}
