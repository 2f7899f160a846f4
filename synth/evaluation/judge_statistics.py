"""Agreement between a judge's scores and people's decisions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import isnan

from synth.evaluation.coefficients import cohen
from synth.evaluation.intervals import LEVEL

ROUNDS = 1000


def kappa(people: Sequence[bool], judge: Sequence[bool]) -> float | None:
    """Cohen's kappa of two columns of decisions; None where both say the same of every row, or there is none."""
    import numpy as np

    first, second = np.array(people, dtype=int), np.array(judge, dtype=int)
    return _defined(cohen(first, second, 2, np.ones((1, len(first))))[0])


def auc(people: Sequence[bool], judge: Sequence[float]) -> float | None:
    """Share of pairs in which the judge puts the row that people accept above the one they do not, a tie being half.

    None where there are not both.
    """
    from scipy.stats import mannwhitneyu

    accepted = [value for value, label in zip(judge, people, strict=True) if label]
    others = [value for value, label in zip(judge, people, strict=True) if not label]
    if not accepted or not others:
        return None
    return float(mannwhitneyu(accepted, others, method="asymptotic").statistic) / (len(accepted) * len(others))


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Spearman's rank correlation; None for fewer than three rows or where one of the columns is constant."""
    from scipy.stats import spearmanr

    if len(left) < 3 or len(set(left)) == 1 or len(set(right)) == 1:
        return None
    return _defined(spearmanr(left, right).statistic)


def _defined(value: float) -> float | None:
    return None if isnan(value) else float(value)


def bootstrapped(n: int, statistic: Callable[[Sequence[int]], float | None], seed: int) -> tuple[float, float] | None:
    """The interval of a statistic of rows, by drawing rows anew; None where it is undefined in most draws."""
    rng = random.Random(f"{seed}:{n}")
    drawn = [statistic(rng.choices(range(n), k=n)) for _ in range(ROUNDS)] if n else []
    values = sorted(one for one in drawn if one is not None)
    if len(values) < ROUNDS / 2:
        return None
    at = (1 - LEVEL) / 2
    return values[int(at * len(values))], values[min(len(values) - 1, int((1 - at) * len(values)))]
