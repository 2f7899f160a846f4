"""Hit rate at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.evidence_metric import CoveredPieceMetric
from synth.evaluation.metrics.base import Undefined


@dataclass(frozen=True)
class EvidenceHitRate(CoveredPieceMetric):
    """1 when the first k passages together cover half of a piece of evidence."""

    name = "evidence_hit_rate"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        pieces = enumerate(cover.sizes)
        return 1.0 if any(cover.of_piece(piece, k) >= self.share * size for piece, size in pieces) else 0.0
