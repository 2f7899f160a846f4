"""Recall at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.evidence_metric import EvidenceMetric
from synth.evaluation.metrics.base import Undefined


@dataclass(frozen=True)
class EvidenceRecall(EvidenceMetric):
    """Share of the evidence's characters that the first k passages cover together."""

    name = "evidence_recall"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        return cover.covered(k) / cover.total
