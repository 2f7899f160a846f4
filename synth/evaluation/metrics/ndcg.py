"""Normalised discounted cumulative gain at k, by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import ndcg


@dataclass(frozen=True)
class Ndcg(IdMetric):
    """Gain by grade, discounted by rank, over that of the best ranking (trec_eval ndcg_cut_k)."""

    name = "ndcg"
    exponential: bool = False

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return ndcg(grades, k, ideal, exponential=self.exponential)
