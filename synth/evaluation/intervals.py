"""Confidence intervals of means: Wilson for proportions, else a bootstrap, with questions grouped by document.

Sources: Wilson (1927) for proportions, with the number of rows divided by the design effect of the
documents; Efron (1987), BCa bootstrap over documents, its percentiles widened for few of them after
Hesterberg (2015); Holm (1979) for many comparisons at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

RESAMPLES = 2000
LEVEL = 0.95
MANY = 2000
"""Documents from which on the normal approximation is as good as a bootstrap, and much faster."""

FEW = 5
"""Documents below which rows are treated as independent, since so few show no spread between documents."""

SKEWED = 30
"""Documents below which a bootstrap holds the mean of a skewed metric too seldom (`scripts/simulate_intervals.py`)."""

SHOWN_FROM = 10
"""Rows of a slice from which on its interval is shown: that of fewer spans most of what is possible."""

NARROWEST = 1e-5
"""The width below which all rows count as equal, so that the interval comes from their number alone."""

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval at `LEVEL` over `n` rows; None without rows."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    method: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Paired difference of two systems on the same rows, with the p of a permutation test.

    `p` comes from permuting documents; `adjusted` is corrected for the number of metrics shown (Holm).
    """

    estimate: Estimate
    p: float | None
    adjusted: float | None = None


def estimates(columns: Mapping[str, Sequence[float]], clusters: Sequence[int], seed: int = 0) -> dict[str, Estimate]:
    """The mean and its interval of each column; NaN in a column stands for no value. One seed always gives one result.

    `clusters` gives for each row the number of its document.
    """
    return {name: _estimate(values, clusters, seed, lowest=0.0) for name, values in columns.items()}


def differences(
    mine: Mapping[str, Sequence[float]],
    other: Mapping[str, Sequence[float]],
    clusters: Sequence[int],
    seed: int = 0,
    shown: Collection[str] | None = None,
) -> dict[str, Difference]:
    """The paired difference, mine less other, of each column both have, over the rows where both have a value.

    The p of the columns `shown` are corrected for their number (Holm), those of all columns without; the others have
    no corrected p.
    """
    import numpy as np

    gaps = {}
    for name in mine:
        if name in other:
            gap = np.asarray(mine[name], dtype=float) - np.asarray(other[name], dtype=float)
            gaps[name] = Difference(_estimate(gap, clusters, seed, lowest=-1.0), _permuted(gap, clusters, seed))
    return _holm(gaps, gaps if shown is None else shown)


def corrected_for(gaps: Mapping[str, Difference]) -> int:
    """The number of metrics that each corrected p is corrected for."""
    return sum(gap.adjusted is not None for gap in gaps.values())


def statistic_of(statistic: Callable[[Floats], Floats], clusters: Sequence[int], seed: int = 0) -> Estimate:
    """The value of a statistic of weighted rows with its interval (BCa over documents), and the number of rows.

    `statistic` takes a matrix of weights, a line a resample and a column a row, and gives a value a line, NaN
    where it is undefined; those resamples are left out. `clusters` gives for each row the number of its document.
    There is no interval for fewer than three rows, or where resampling changes nothing.
    """
    import numpy as np

    n = len(clusters)
    value = float(statistic(np.ones((1, n)))[0]) if n else float("nan")
    if np.isnan(value):
        return Estimate(None, None, None, n, "")
    index = np.unique(np.asarray(clusters), return_inverse=True)[1]
    if index.max() + 1 < FEW:
        index = np.arange(n)
    size = int(index.max()) + 1
    if n < 3:
        return Estimate(value, None, None, n, "")
    boot = statistic(_resampled(size, seed, RESAMPLES)[:, index].astype(float))
    without = statistic((1.0 - np.eye(size))[:, index]) if size <= MANY else np.empty(0)
    boot, without = boot[~np.isnan(boot)], without[~np.isnan(without)]
    if len(boot) < RESAMPLES // 2 or np.ptp(boot) < 1e-12:
        return Estimate(value, None, None, n, "")
    low, high = np.quantile(boot, _bca_shares(value, boot, without, size))
    return Estimate(value, min(float(low), value), max(float(high), value), n, "BCa")


def quantile(level: float) -> float:
    """The half-width of the central interval of a normal distribution at `level`, in standard errors."""
    return _NORMAL.inv_cdf(0.5 + level / 2)


def wilson(mean: float, n: float, z: float = quantile(LEVEL)) -> tuple[float, float]:
    """Wilson's interval of a proportion `mean` of `n`; conservative for any mean of values from 0 to 1.

    `z` is the `quantile` of its level.
    """
    middle = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(max(0.0, mean * (1 - mean)) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def _estimate(values: Any, clusters: Sequence[int], seed: int, *, lowest: float) -> Estimate:
    import numpy as np

    every = np.asarray(values, dtype=float)
    kept = ~np.isnan(every)
    numbers = every[kept]
    n = len(numbers)
    if not n:
        return Estimate(None, None, None, 0, "")
    mean = float(numbers.mean())
    sums, counts = _by_cluster(numbers, np.asarray(clusters)[kept])
    if lowest == 0.0 and bool(np.isin(numbers, (0.0, 1.0)).all()):
        return Estimate(mean, *wilson(mean, _effective(mean, sums, counts)), n, "Wilson")
    if np.ptp(numbers) < 1e-12 or n < 3:
        return _without_spread(mean, n, len(sums), lowest)
    if len(sums) > MANY:
        half = quantile(LEVEL) * _error(mean, sums, counts)
        low, high, method = mean - half, mean + half, "normal"
    else:
        low, high = _bca(mean, sums, counts, seed)
        method = "BCa"
    if lowest <= float(numbers.min()) and float(numbers.max()) <= 1.0:
        low, high = max(lowest, low), min(1.0, high)
        error = _error(mean, sums, counts)
        if len(sums) < SKEWED and error > NARROWEST / 10:
            wider = _bounded(mean, error, len(sums), lowest), _studentised(mean, error, sums, counts, seed)
            low = max(lowest, min(low, *(bounds[0] for bounds in wider)))
            high = min(1.0, max(high, *(bounds[1] for bounds in wider)))
    if high - low < NARROWEST:
        return _without_spread(mean, n, len(sums), lowest)
    return Estimate(mean, min(low, mean), max(high, mean), n, method)


def _bounded(mean: float, error: float, size: int, lowest: float) -> tuple[float, float]:
    """Wilson's interval for values from `lowest` to 1 whose mean has a standard error over `size` documents.

    Few documents seldom include the rare values of a skewed metric, and a bootstrap draws only values it has.
    """
    reach = 1 - lowest
    share = (mean - lowest) / reach
    low, high = wilson(share, share * (1 - share) * (reach / error) ** 2, z=_wide(size))
    return lowest + low * reach, lowest + high * reach


def _studentised(mean: float, error: float, sums: Floats, counts: Floats, seed: int) -> tuple[float, float]:
    """The bootstrap-t interval, which follows the skew of a metric best (Efron and Tibshirani, 1993)."""
    import numpy as np

    size = len(sums)
    drawn = _resampled(size, seed, RESAMPLES)
    rows = np.maximum(drawn @ counts, 1e-300)
    means = (drawn @ sums) / rows
    gaps = (drawn * (sums - means[:, None] * counts) ** 2).sum(axis=1)
    errors = np.sqrt(size / (size - 1) * gaps) / rows
    spread = errors > error * 1e-3  # a resample of one document alone has no spread
    if not spread.any():
        return mean, mean
    low, high = np.quantile((means[spread] - mean) / errors[spread], (0.5 + LEVEL / 2, 0.5 - LEVEL / 2))
    return mean - float(low) * error, mean - float(high) * error


def _without_spread(mean: float, n: int, clusters: int, lowest: float) -> Estimate:
    """The interval where all rows are equal: as wide as the values that so few rows could have missed."""
    if not lowest <= mean <= 1.0:
        return Estimate(mean, None, None, n, "")
    share = (mean - lowest) / (1 - lowest)
    low, high = (lowest + bound * (1 - lowest) for bound in wilson(share, clusters))
    if lowest < 0:  # equal differences: the change that an unseen row could make
        missed = wilson(0.0, clusters)[1]
        low, high = max(-1.0, mean - missed), min(1.0, mean + missed)
    return Estimate(mean, low, high, n, "Wilson")


def _by_cluster(numbers: Floats, clusters: Floats) -> tuple[Floats, Floats]:
    """The sum and the number of rows by document, or by row where there are few documents."""
    import numpy as np

    _, index = np.unique(clusters, return_inverse=True)
    counts = np.bincount(index).astype(float)
    if len(counts) < FEW:
        return numbers, np.ones(len(numbers))
    return np.bincount(index, weights=numbers), counts


def _error(mean: float, sums: Floats, counts: Floats) -> float:
    """The standard error of the mean over documents (ratio estimator)."""
    size = len(sums)
    deviations = sums - mean * counts
    return sqrt(size / max(1, size - 1) * float((deviations**2).sum())) / float(counts.sum())


def _effective(mean: float, sums: Floats, counts: Floats) -> float:
    """The effective number of independent rows, at most the number of rows."""
    n = float(counts.sum())
    naive = mean * (1 - mean) / n
    if counts.max() == 1:
        return n
    if naive <= 0:
        return float(len(sums))
    return float(min(n, max(1.0, n * naive / max(_error(mean, sums, counts) ** 2, 1e-300))))


@lru_cache(maxsize=2)
def _resampled(size: int, seed: int, rounds: int) -> Floats:
    """The number of times each of `size` documents is drawn in each round; shape (rounds, size)."""
    import numpy as np

    return np.random.default_rng([seed, size]).multinomial(size, np.full(size, 1 / size), size=rounds)


def _bca(mean: float, sums: Floats, counts: Floats, seed: int) -> tuple[float, float]:
    import numpy as np

    size = len(sums)
    drawn = _resampled(size, seed, RESAMPLES)
    boot = (drawn @ sums) / np.maximum(drawn @ counts, 1e-300)
    without = (sums.sum() - sums) / np.maximum(counts.sum() - counts, 1e-300)
    low, high = np.quantile(boot, _bca_shares(mean, boot, without, size))
    return float(low), float(high)


def _bca_shares(value: float, boot: Floats, without: Floats, size: int) -> list[float]:
    """The quantiles of the resampled values for the two bounds; `without` are the jackknife values."""
    below = float((boot < value).mean() + (boot == value).mean() / 2)
    bias = _NORMAL.inv_cdf(min(max(below, 1 / RESAMPLES), 1 - 1 / RESAMPLES))
    gaps = without.mean() - without if len(without) else without
    spread = float((gaps**2).sum())
    skew = float((gaps**3).sum()) / (6 * spread**1.5) if spread else 0.0
    shares = []
    for side in (-1, 1):
        z = bias + side * _wide(size)
        shares.append(_NORMAL.cdf(bias + z / max(1e-3, 1 - skew * z)))
    return shares


def _wide(size: int) -> float:
    """The normal quantile of the level, widened like Student's t for `size` documents (Hesterberg, 2015)."""
    z, freedom = quantile(LEVEL), size - 1
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return t * sqrt(size / freedom)


def _permuted(gap: Floats, clusters: Sequence[int], seed: int) -> float | None:
    """The p of a permutation test: the share of random signs of the documents that give a difference as large."""
    import numpy as np

    kept = ~np.isnan(gap)
    if not kept.any():
        return None
    sums, _ = _by_cluster(gap[kept], np.asarray(clusters)[kept])
    observed = abs(float(sums.sum()))
    sums = sums[np.abs(sums) > 1e-12]
    if not len(sums) or observed < 1e-12:
        return 1.0
    if len(sums) > MANY:
        return 2 * (1 - _NORMAL.cdf(observed / sqrt(float((sums**2).sum()))))
    rng = np.random.default_rng([seed, len(sums)])
    rounds, as_large = 4 * RESAMPLES, 0
    step = ceil(rounds / max(1, len(sums) // 50))
    for first in range(0, rounds, step):
        signs = rng.integers(0, 2, size=(min(step, rounds - first), len(sums))) * 2 - 1
        as_large += int((np.abs(signs @ sums) >= observed - 1e-9).sum())
    return (as_large + 1) / (rounds + 1)


def _holm(gaps: dict[str, Difference], shown: Collection[str]) -> dict[str, Difference]:
    """Differences with each p of the metrics `shown` corrected for their number."""
    tested = sorted((gap.p, name) for name, gap in gaps.items() if gap.p is not None and name in shown)
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, (p, name) in enumerate(tested):
        highest = max(highest, min(1.0, p * (len(tested) - rank)))
        adjusted[name] = highest
    return {name: Difference(gap.estimate, gap.p, adjusted.get(name)) for name, gap in gaps.items()}
