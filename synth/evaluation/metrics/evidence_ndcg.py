"""Normalised discounted cumulative gain at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.evidence_metric import EvidenceMetric
from synth.evaluation.measuring.ranking import ndcg
from synth.evaluation.metrics.base import Undefined


@dataclass(frozen=True)
class EvidenceNdcg(EvidenceMetric):
    """Discounted gain, by the share of evidence that each passage adds, over that of one ideal passage a document."""

    name = "evidence_ndcg"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        # A passage known by its text alone may be in several documents at once and gain more than the best ranking.
        return min(1.0, ndcg(cover.gains(), k, cover.ideal()))
