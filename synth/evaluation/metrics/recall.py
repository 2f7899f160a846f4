"""Recall at k, by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.metrics.id_base import ById
from synth.evaluation.metrics.ranking import recall


@dataclass(frozen=True)
class Recall(ById):
    """The share of what is relevant that is in the first k (trec_eval recall_k)."""

    name = "recall"

    def of(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return recall(grades, k, len(ideal))
