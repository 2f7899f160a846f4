"""F1 of SQuAD 2.0 (Rajpurkar et al., 2018)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.squad import squad_golden, squad_normalised
from synth.evaluation.metrics.base import Case, Metric, Value


@dataclass(frozen=True)
class SquadF1(Metric):
    """F1 of SQuAD 2.0, over words separated by white space; of no use for Chinese."""

    name = "squad_f1"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        words = squad_normalised(case.answer).split()
        return {
            self.name: max(f1(*overlap(words, golden.split())) for golden in squad_golden(case.item.golden_answers))
        }
