"""Mean average precision at k, over the ids of the retrieved passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.id_metric import IdMetric
from synth.evaluation.measuring.ranking import average_precision


@dataclass(frozen=True)
class AveragePrecision(IdMetric):
    """Precision at the rank of each relevant item, averaged over all relevant items (trec_eval map_cut_k)."""

    name = "map"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return average_precision(grades, k, len(ideal))
