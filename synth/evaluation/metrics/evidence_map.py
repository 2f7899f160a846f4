"""Mean average precision at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.evidence_metric import EvidenceMetric
from synth.evaluation.metrics.base import Undefined


@dataclass(frozen=True)
class EvidenceAveragePrecision(EvidenceMetric):
    """Precision at each passage that adds evidence, weighted by the share of the evidence that it adds."""

    name = "evidence_map"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        hits, total = 0, 0.0
        for rank, gain in enumerate(cover.gains()[:k], start=1):
            if gain > 0:
                hits += 1
                total += gain * hits / rank
        return min(1.0, total)  # a sum of shares may round to more
