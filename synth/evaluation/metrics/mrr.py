"""Mean reciprocal rank at k, over the ids of the retrieved passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import reciprocal_rank


@dataclass(frozen=True)
class ReciprocalRank(IdMetric):
    """1 over the rank of the first relevant item; 0 when it is beyond k."""

    name = "mrr"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return reciprocal_rank(grades, k)
