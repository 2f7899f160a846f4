"""Base class of rank metrics computed from the ids of the retrieved passages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.evaluation.metrics.base import AtK, Case, Value


@dataclass(frozen=True)
class IdMetric(AtK):
    """A metric of the grades of the retrieved ids, given the grades of all relevant ids.

    An alternative to the evidence counts as the evidence, once.
    """

    version = 2

    @abstractmethod
    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        """The value for the first `k` of `grades`; `ideal` is not empty."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        ideal = tuple(case.relevance.values())
        if not ideal:
            return self.all_undefined(case.no_relevance)
        grades = case.ranking
        return self.at_each(lambda k: self.value_at(grades, k, ideal))
