"""Measures of a ranking as trec_eval defines them, computed from the grades of the retrieved items by rank.

Grades above 0 are relevant. `relevant` is the number of relevant items, `ideal` contains their grades.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log2


def precision(grades: Sequence[float], k: int) -> float:
    """Return the share of relevant items in the first k; the divisor is k even if fewer were retrieved."""
    return _hits(grades, k) / k


def recall(grades: Sequence[float], k: int, relevant: int) -> float:
    """Return the share of the relevant items that is in the first k."""
    return _hits(grades, k) / relevant


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of two shares; 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def hit(grades: Sequence[float], k: int) -> float:
    """Return 1 if any of the first k is relevant, otherwise 0."""
    return 1.0 if any(grade > 0 for grade in grades[:k]) else 0.0


def reciprocal_rank(grades: Sequence[float], k: int) -> float:
    """Return 1 divided by the rank of the first relevant item in the first k; 0 if there is none."""
    return next((1 / rank for rank, grade in enumerate(grades[:k], start=1) if grade > 0), 0.0)


def average_precision(grades: Sequence[float], k: int, relevant: int) -> float:
    """Return the mean precision at the rank of each relevant item; items outside the first k count 0."""
    hits, total = 0, 0.0
    for rank, grade in enumerate(grades[:k], start=1):
        if grade > 0:
            hits += 1
            total += hits / rank
    return total / relevant


def average_precision_of(relevant: Sequence[bool]) -> float:
    """Return the mean precision at the rank of each retrieved relevant item (Ragas' context precision)."""
    hits = sum(relevant)
    return average_precision(relevant, len(relevant), hits) if hits else 0.0


def ndcg(grades: Sequence[float], k: int, ideal: Sequence[float], *, exponential: bool = False) -> float:
    """Return the discounted gain of the first k, divided by that of the best possible k (Järvelin & Kekäläinen, 2002).

    The gain is the grade or, if `exponential`, 2**grade - 1.
    """
    best = _gain(sorted(ideal, reverse=True), k, exponential=exponential)
    return _gain(grades, k, exponential=exponential) / best if best else 0.0


def _gain(grades: Sequence[float], k: int, *, exponential: bool) -> float:
    discounts = _discounts(k)
    if exponential:
        return sum((float(2.0**grade) - 1) / by for grade, by in zip(grades, discounts, strict=False) if grade > 0)
    return sum(grade / by for grade, by in zip(grades, discounts, strict=False) if grade > 0)


@lru_cache(maxsize=256)
def _discounts(k: int) -> tuple[float, ...]:
    return tuple(log2(rank + 1) for rank in range(1, k + 1))


def _hits(grades: Sequence[float], k: int) -> int:
    return sum(grade > 0 for grade in grades[:k])
