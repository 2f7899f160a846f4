"""Precision at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.evidence_metric import EvidenceMetric
from synth.evaluation.metrics.base import Undefined


@dataclass(frozen=True)
class EvidencePrecision(EvidenceMetric):
    """Share of the characters of the first k passages that is evidence; evidence covered twice counts once."""

    name = "evidence_precision"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        lengths = cover.lengths[:k]
        if None in lengths:
            return Undefined("a passage has neither a place nor a text, so its length is unknown")
        total = sum(length or 0 for length in lengths)
        return min(1.0, cover.covered(k) / total) if total else 0.0
