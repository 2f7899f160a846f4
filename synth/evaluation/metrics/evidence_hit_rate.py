"""Hit rate at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.by_evidence import EvidenceMetric
from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.metrics.base import Undefined


@dataclass(frozen=True)
class EvidenceHitRate(EvidenceMetric):
    """1 when the first k passages together cover half of a piece of evidence."""

    name = "evidence_hit_rate"

    def value(self, cover: Cover, k: int) -> float | Undefined:
        pieces = enumerate(cover.sizes)
        return 1.0 if any(cover.of_piece(piece, k) >= self.share * size for piece, size in pieces) else 0.0
