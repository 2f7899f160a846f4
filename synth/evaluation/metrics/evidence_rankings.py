"""Ranks of the retrieved passages by the characters of the evidence that they cover; independent of chunking."""

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


@dataclass(frozen=True)
class EvidenceHitRate(CoveredPieceMetric):
    """1 when the first k passages together cover half of a piece of evidence."""

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
            return Undefined("a passage has neither a place nor a text, so its length is unknown")
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
    """1 over the rank of the first passage that covers half of a piece of evidence; 0 when it is beyond k."""

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
        return min(1.0, total)  # a sum of shares may round to more


@dataclass(frozen=True)
class EvidenceNdcg(EvidenceMetric):
    """Discounted gain, by the share of evidence that each passage adds, over that of one ideal passage a document."""

    name = "evidence_ndcg"

    def value_at(self, cover: Cover, k: int) -> float | Undefined:
        # A passage known by its text alone may be in several documents at once and gain more than the best ranking.
        return min(1.0, ndcg(cover.gains(), k, cover.ideal()))
