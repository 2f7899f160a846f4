"""Metrics of the evidence characters that retrieved passages cover, by rank; independent of chunking."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from synth.core.checks import check_share
from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.ranking import f1, ndcg
from synth.evaluation.metrics.base import AtK, Case, Undefined, Value


@dataclass(frozen=True)
class EvidenceMetric(AtK):
    """Base class of metrics of the evidence that the retrieved passages cover.

    Only `CoveredPieceMetric` uses the parameter `share`. It is a field here because stored runs identify a metric by
    its fields.
    """

    version = 2
    share: float = field(default=0.5, init=False)

    @abstractmethod
    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        """Return the value for the first `k` passages."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.retrieved_cover
        if isinstance(cover, str):
            return self.all_undefined(cover)
        return self.at_each(partial(self.value_at, cover))


@dataclass(frozen=True)
class CoveredPieceMetric(EvidenceMetric):
    """Base class of metrics that count covered pieces of evidence.

    A piece is covered if at least `share` of its characters are. Raises ConfigError unless `share` is above 0 and at
    most 1.
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        check_share(f"share of {self.name}", self.share)


@dataclass(frozen=True)
class EvidenceHitRate(CoveredPieceMetric):
    """1 if the first k passages together cover at least half of a piece of evidence."""

    name = "evidence_hit_rate"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        pieces = enumerate(cover.sizes)
        return 1.0 if any(cover.of_piece(piece, k) >= self.share * size for piece, size in pieces) else 0.0


@dataclass(frozen=True)
class EvidencePrecision(EvidenceMetric):
    """Share of the characters of the first k passages that is evidence; evidence covered twice counts once."""

    name = "evidence_precision"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        lengths = cover.lengths[:k]
        if None in lengths:
            return Undefined("a passage has neither offsets nor a text, so its length is unknown")
        total = sum(length or 0 for length in lengths)
        return min(1.0, cover.covered(k) / total) if total else 0.0


@dataclass(frozen=True)
class EvidenceRecall(EvidenceMetric):
    """Share of the evidence's characters that the first k passages cover together."""

    name = "evidence_recall"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        return cover.covered(k) / cover.total


@dataclass(frozen=True)
class EvidenceF1(EvidenceMetric):
    """Harmonic mean of evidence_precision and evidence_recall."""

    name = "evidence_f1"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        precision = EvidencePrecision().value_at(cover, k)
        if isinstance(precision, Undefined):
            return precision
        return f1(precision, cover.covered(k) / cover.total)


@dataclass(frozen=True)
class EvidenceReciprocalRank(CoveredPieceMetric):
    """1 divided by the rank of the first passage that covers half of a piece of evidence; 0 if it is beyond k."""

    name = "evidence_mrr"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        ranks = range(min(k, len(cover.spans)))
        return next((1 / (rank + 1) for rank in ranks if cover.bears(rank, self.share)), 0.0)


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
        return min(1.0, total)  # rounding can lift a sum of shares above 1


@dataclass(frozen=True)
class EvidenceNdcg(EvidenceMetric):
    """Discounted gain of the evidence that each passage adds, relative to one ideal passage per document."""

    name = "evidence_ndcg"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        # A passage known only by its text can match several documents and gain more than the best ranking.
        return min(1.0, ndcg(cover.gains(), k, cover.ideal()))
