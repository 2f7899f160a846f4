"""Precision at k, over the ids of the retrieved passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import precision


@dataclass(frozen=True)
class Precision(IdMetric):
    """Share of the first k that is relevant; over k even when fewer were retrieved (trec_eval P_k)."""

    name = "precision"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return precision(grades, k)
