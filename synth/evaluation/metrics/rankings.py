"""Metrics of the ranks of retrieved ids, as trec_eval defines them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.ranking import average_precision, f1, hit, ndcg, precision, recall, reciprocal_rank
from synth.evaluation.metrics.base import AtK, Case, Value


@dataclass(frozen=True)
class IdMetric(AtK):
    """Base class of metrics that compare the ranking of retrieved ids with the grades of the relevant ids.

    An alternative to the evidence counts as the evidence, once.
    """

    version = 2
    reads_ids = True

    @abstractmethod
    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        """Return the value for the first `k` of `grades`; `ideal` is the grades of all relevant ids, never empty."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        ideal = tuple(case.relevance.values())
        if not ideal:
            return self.all_undefined(case.no_relevance)
        grades = case.ranking
        return self.at_each(lambda k: self.value_at(grades, k, ideal))


@dataclass(frozen=True)
class HitRate(IdMetric):
    """1 if any of the first k is relevant (trec_eval success_k)."""

    name = "hit_rate"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return hit(grades, k)


@dataclass(frozen=True)
class Precision(IdMetric):
    """Share of the first k that is relevant; the divisor is k even if fewer were retrieved (trec_eval P_k)."""

    name = "precision"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return precision(grades, k)


@dataclass(frozen=True)
class Recall(IdMetric):
    """Share of the relevant items that is among the first k (trec_eval recall_k)."""

    name = "recall"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return recall(grades, k, len(ideal))


@dataclass(frozen=True)
class F1(IdMetric):
    """Harmonic mean of precision and recall at k."""

    name = "f1"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return f1(precision(grades, k), recall(grades, k, len(ideal)))


@dataclass(frozen=True)
class ReciprocalRank(IdMetric):
    """1 divided by the rank of the first relevant item; 0 if it is not among the first k."""

    name = "mrr"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return reciprocal_rank(grades, k)


@dataclass(frozen=True)
class AveragePrecision(IdMetric):
    """Precision at the rank of each relevant item, averaged over all relevant items (trec_eval map_cut_k)."""

    name = "map"

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return average_precision(grades, k, len(ideal))


@dataclass(frozen=True)
class Ndcg(IdMetric):
    """Discounted cumulative gain of the first k, divided by that of the ideal ranking (trec_eval ndcg_cut_k).

    The gain is the grade, as in trec_eval; with `exponential` it is 2**grade - 1.
    """

    name = "ndcg"
    exponential: bool = False

    def value_at(self, grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
        return ndcg(grades, k, ideal, exponential=self.exponential)
