"""Recall at k, over the ids of the retrieved passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import recall


@dataclass(frozen=True)
class Recall(IdMetric):
    """Share of the relevant items that is in the first k (trec_eval recall_k)."""

    name = "recall"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return recall(grades, k, len(ideal))
