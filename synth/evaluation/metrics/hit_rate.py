"""Hit rate at k, over the ids of the retrieved passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import hit


@dataclass(frozen=True)
class HitRate(IdMetric):
    """1 when any of the first k is relevant (trec_eval success_k)."""

    name = "hit_rate"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return hit(grades, k)
