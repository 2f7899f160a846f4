"""F1 at k, over the ids of the retrieved passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import f1, precision, recall


@dataclass(frozen=True)
class F1(IdMetric):
    """Harmonic mean of precision and recall at k."""

    name = "f1"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return f1(precision(grades, k), recall(grades, k, len(ideal)))
