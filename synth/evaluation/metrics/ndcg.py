"""Normalised discounted cumulative gain at k, over the ids of the retrieved passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import ndcg


@dataclass(frozen=True)
class Ndcg(IdMetric):
    """Discounted cumulative gain of the first k over that of the ideal ranking (trec_eval ndcg_cut_k).

    The gain is the grade, as in trec_eval; with `exponential` it is 2**grade - 1.
    """

    name = "ndcg"
    exponential: bool = False

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return ndcg(grades, k, ideal, exponential=self.exponential)
