"""Mean reciprocal rank at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.evidence_metric import CoveredPieceMetric
from synth.evaluation.metrics.base import Undefined


@dataclass(frozen=True)
class EvidenceReciprocalRank(CoveredPieceMetric):
    """1 over the rank of the first passage that covers half of a piece of evidence; 0 when it is beyond k."""

    name = "evidence_mrr"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        ranks = range(min(k, len(cover.spans)))
        return next((1 / (rank + 1) for rank in ranks if cover.bears(rank, self.share)), 0.0)
