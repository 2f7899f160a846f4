"""Base classes of rank metrics computed from covered evidence characters; independent of chunking."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from synth.core.checks import check_share
from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.metrics.base import AtK, Case, Undefined, Value


@dataclass(frozen=True)
class EvidenceMetric(AtK):
    """A metric of the evidence that the retrieved passages cover.

    `share` is a parameter of `CoveredPieceMetric` alone. It is a field here because stored runs identify a metric by
    its fields.
    """

    version = 2
    share: float = field(default=0.5, init=False)

    @abstractmethod
    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        """The value for the first `k` passages."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.retrieved_cover
        if isinstance(cover, str):
            return self.all_undefined(cover)
        return self.at_each(partial(self.value_at, cover))


@dataclass(frozen=True)
class CoveredPieceMetric(EvidenceMetric):
    """A metric that counts covered pieces of evidence; a piece is covered when `share` of its characters are.

    Raises ConfigError unless `share` is above 0 and at most 1.
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        check_share(f"share of {self.name}", self.share)
