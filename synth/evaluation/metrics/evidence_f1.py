"""F1 at k, by characters of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.evidence_metric import EvidenceMetric
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.metrics.base import Undefined
from synth.evaluation.metrics.evidence_precision import EvidencePrecision


@dataclass(frozen=True)
class EvidenceF1(EvidenceMetric):
    """Harmonic mean of evidence_precision and evidence_recall."""

    name = "evidence_f1"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        precision = EvidencePrecision().value_at(cover, k)
        if isinstance(precision, Undefined):
            return precision
        return f1(precision, cover.covered(k) / cover.total)
