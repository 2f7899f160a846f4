"""F1 at k, by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.metrics.id_base import ById
from synth.evaluation.metrics.ranking import f1, precision, recall


@dataclass(frozen=True)
class F1(ById):
    """The harmonic mean of precision and recall at k."""

    name = "f1"

    def of(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return f1(precision(grades, k), recall(grades, k, len(ideal)))
