"""Base of the metrics of a ranking by the characters of evidence that it covers, whatever the chunking."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.metrics.base import AtK, Case, Undefined, Value


@dataclass(frozen=True)
class EvidenceMetric(AtK):
    """Metric of the evidence that the retrieved passages cover.

    A passage bears evidence when it covers at least `share` of the characters of one piece of it.
    """

    share: float = 0.5

    @abstractmethod
    def value(self, cover: Cover, k: int) -> float | Undefined:
        """The value for the first `k` passages."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.retrieved_cover
        if isinstance(cover, str):
            return self.all_undefined(cover)
        return {f"{self.name}@{k}": self.value(cover, k) for k in self.ks}
