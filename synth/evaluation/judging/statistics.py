"""Agreement between a judge's scores and people's decisions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from synth.evaluation.agreement_coefficients import cohen
from synth.evaluation.intervals import CONFIDENCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROUNDS = 1000


def kappa(people: Sequence[bool], judge: Sequence[bool]) -> float | None:
    """Return Cohen's kappa of two lists of decisions.

    Returns None if there are no rows or if both lists repeat the same single value.
    """
    import numpy as np

    value = float(_kappas(people, judge, np.ones((1, len(people))))[0])
    return None if value != value else value


def kappa_interval(people: Sequence[bool], judge: Sequence[bool], seed: int) -> tuple[float, float] | None:
    """Return the percentile bootstrap interval of kappa over rows; None if most draws have no kappa."""
    import numpy as np

    n = len(people)
    if not n:
        return None
    rng = random.Random(f"{seed}:{n}")
    draws = [Counter(rng.choices(range(n), k=n)) for _ in range(ROUNDS)]
    kappas = _kappas(people, judge, np.array([[draw[i] for i in range(n)] for draw in draws], dtype=float))
    values = sorted(kappas[~np.isnan(kappas)].tolist())
    if len(values) < ROUNDS / 2:
        return None
    share = (1 - CONFIDENCE) / 2
    return values[int(share * len(values))], values[min(len(values) - 1, int((1 - share) * len(values)))]


def auc(people: Sequence[bool], judge: Sequence[float]) -> float | None:
    """Return the probability that an accepted row scores higher than a rejected one; None unless both kinds exist."""
    from scipy.stats import mannwhitneyu

    accepted = [value for value, yes in zip(judge, people, strict=True) if yes]
    rejected = [value for value, yes in zip(judge, people, strict=True) if not yes]
    if not accepted or not rejected:
        return None
    return float(mannwhitneyu(accepted, rejected).statistic) / (len(accepted) * len(rejected))


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation; None for fewer than three rows or a constant list."""
    from scipy.stats import spearmanr

    if len(left) < 3 or len(set(left)) == 1 or len(set(right)) == 1:
        return None
    return float(spearmanr(left, right).statistic)


def _kappas(people: Sequence[bool], judge: Sequence[bool], weights: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    return cohen(np.array(people, dtype=int), np.array(judge, dtype=int), 2, weights)
