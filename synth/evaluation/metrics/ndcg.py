"""Normalised discounted cumulative gain at k, by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.by_id import ById
from synth.evaluation.measuring.ranking import ndcg


@dataclass(frozen=True)
class Ndcg(ById):
    """Gain by grade, discounted by rank, over that of the best ranking (trec_eval ndcg_cut_k)."""

    name = "ndcg"
    exponential: bool = False

    def of(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return ndcg(grades, k, ideal, exponential=self.exponential)
