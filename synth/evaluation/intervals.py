"""Confidence intervals of means and paired differences, with rows clustered by document.

- Values of 0 and 1: the interval of Wilson (1927), with the number of rows divided by the design effect of documents.
- Other values: the BCa bootstrap over documents (Efron, 1987), with percentiles widened for small samples (Hesterberg,
  2015). For few documents, the widest of BCa, Wilson and bootstrap-t (Efron and Tibshirani, 1993).
- Many documents: the normal approximation. Few rows, or rows that are all equal: Wilson's interval.
- Differences: a sign-flip (permutation) test over documents, corrected for several metrics (Holm, 1979). If no row
  differs, the interval is 0 to 0: the two systems did the same on every row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, erfc, sqrt
from statistics import NormalDist
from sys import float_info
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

RESAMPLES = 2000
CONFIDENCE = 0.95
MAX_BOOTSTRAP_DOCUMENTS = 2000
"""Number of documents above which the normal approximation, as good and much faster, replaces the bootstrap."""

MIN_DOCUMENTS = 5
"""Number of documents below which rows count as independent, because the spread between documents is unknown."""

SMALL_SAMPLE = 30
"""Number of documents below which the bootstrap interval of a skewed metric is too narrow.

Measured by `scripts/simulate_intervals.py`.
"""

MIN_ROWS_SHOWN = 10
"""Minimum number of rows of a slice for showing its interval. With fewer rows, it covers most of the range."""

MIN_WIDTH = 1e-5
"""Width of an interval below which all rows count as equal. The interval then depends on their number only."""

_MIN_ERROR = MIN_WIDTH / 10
"""Standard error below which an interval is not widened, because the rows count as equal."""

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean over `n` rows with its interval at confidence `CONFIDENCE`.

    `mean` is None if there are no rows. `low` and `high` are None if no interval can be computed. `method` is the name
    of the method of the interval, "" without an interval.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    method: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Paired difference of two systems on the same rows.

    `p` is the two-sided p value of a sign-flip test over documents, None without rows. `adjusted` is `p` corrected for
    the number of metrics shown (Holm), None for a metric that is not shown.
    """

    estimate: Estimate
    p: float | None
    adjusted: float | None = None


def estimates(columns: Mapping[str, Sequence[float]], clusters: Sequence[int], seed: int = 0) -> dict[str, Estimate]:
    """Return the mean of each column with its interval. NaN marks a missing value.

    `clusters` is the document number of each row. The same seed gives the same result.
    """
    return {name: _estimate(values, clusters, seed, minimum=0.0) for name, values in columns.items()}


def few_documents(clusters: Collection[Any], rows: int) -> str:
    """Return why intervals of `rows` rows are wide if there are few documents; "" if there are enough.

    `clusters` is the document of each row.
    """
    documents = len({*clusters})
    if not MIN_DOCUMENTS <= documents < min(SMALL_SAMPLE, rows):
        return ""
    return (
        f"intervals are wide: {rows} rows count as only {documents} documents, because rows of the same document are "
        "similar; add rows on other documents"
    )


def differences(
    system: Mapping[str, Sequence[float]],
    baseline: Mapping[str, Sequence[float]],
    clusters: Sequence[int],
    seed: int = 0,
    shown: Collection[str] | None = None,
) -> dict[str, Difference]:
    """Return the paired difference, system minus baseline, of each shared column, over rows where both have values.

    If no row differs, the interval is 0 to 0 (method "no change"), however few the rows are. A system that gives the
    same responses again must not be called worse, and two equal systems show no spread that an interval could measure.
    `clusters` is the document number of each row. The p values of the columns in `shown` (None for all) are corrected
    together (Holm); other columns have no `adjusted`.
    """
    import numpy as np

    gaps = {}
    for name in system:
        if name in baseline:
            gap = np.asarray(system[name], dtype=float) - np.asarray(baseline[name], dtype=float)
            gaps[name] = Difference(_estimate(gap, clusters, seed, minimum=-1.0), _sign_flip_p(gap, clusters, seed))
    return _holm(gaps, gaps if shown is None else shown)


def tested_count(gaps: Mapping[str, Difference]) -> int:
    """Return the number of metrics in the Holm correction."""
    return sum(gap.adjusted is not None for gap in gaps.values())


def statistic_of(statistic: Callable[[Floats], Floats], clusters: Sequence[int], seed: int = 0) -> Estimate:
    """Return the value of a statistic of weighted rows with its interval (BCa over documents).

    `statistic` maps a weight matrix of shape (resamples, rows) to one value per resample, NaN if undefined. `clusters`
    is the document number of each row.

    There is no interval for fewer than three rows, or if resampling changes nothing. There is none either if fewer than
    half of the resamples have a value. Above `MAX_BOOTSTRAP_DOCUMENTS` documents the acceleration is left out (method
    "BC").
    """
    import numpy as np

    n = len(clusters)
    value = float(statistic(np.ones((1, n)))[0]) if n else float("nan")
    if np.isnan(value):
        return Estimate(None, None, None, n, "")
    index = np.unique(np.asarray(clusters), return_inverse=True)[1]
    if index.max() + 1 < MIN_DOCUMENTS:
        index = np.arange(n)
    size = int(index.max()) + 1
    if n < 3:
        return Estimate(value, None, None, n, "")
    boot = statistic(_resampled(size, seed, RESAMPLES)[:, index].astype(float))
    accelerated = size <= MAX_BOOTSTRAP_DOCUMENTS
    without = statistic((1.0 - np.eye(size))[:, index]) if accelerated else np.empty(0)
    boot, without = boot[~np.isnan(boot)], without[~np.isnan(without)]
    if len(boot) < RESAMPLES // 2 or np.ptp(boot) < 1e-12:
        return Estimate(value, None, None, n, "")
    low, high = np.quantile(boot, _bca_levels(value, boot, without, size))
    return Estimate(value, min(float(low), value), max(float(high), value), n, "BCa" if accelerated else "BC")


def critical_value(level: float) -> float:
    """Return the two-sided critical value of the normal distribution at a confidence level such as 0.95."""
    return _NORMAL.inv_cdf(0.5 + level / 2)


def wilson(mean: float, n: float, z: float = critical_value(CONFIDENCE)) -> tuple[float, float]:
    """Return Wilson's interval of a proportion `mean` over `n` rows; at worst too wide for other values from 0 to 1.

    `z` is the `critical_value` of the confidence level.
    """
    middle = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(max(0.0, mean * (1 - mean)) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def _estimate(values: Any, clusters: Sequence[int], seed: int, *, minimum: float) -> Estimate:
    """Return the mean, with its interval, of values from `minimum` (0, or -1 for differences) to 1.

    Differences that are all 0: 0 to 0. Values of 0 and 1: Wilson. Fewer than three rows, or no spread:
    `_wilson_fallback`. Many documents: normal. Otherwise BCa, widened for few documents to include Wilson's interval
    and the bootstrap-t.
    """
    import numpy as np

    every = np.asarray(values, dtype=float)
    kept = ~np.isnan(every)
    numbers = every[kept]
    n = len(numbers)
    if not n:
        return Estimate(None, None, None, 0, "")
    mean = float(numbers.mean())
    sums, counts = _by_cluster(numbers, np.asarray(clusters)[kept])
    if minimum == 0.0 and bool(np.isin(numbers, (0.0, 1.0)).all()):
        return Estimate(mean, *wilson(mean, _effective_rows(mean, sums, counts)), n, "Wilson")
    if minimum < 0 and float(np.abs(numbers).max()) < 1e-12:
        return Estimate(0.0, 0.0, 0.0, n, "no change")
    if np.ptp(numbers) < 1e-12 or n < 3:
        return _wilson_fallback(mean, n, len(sums), minimum)
    if len(sums) > MAX_BOOTSTRAP_DOCUMENTS:
        half = critical_value(CONFIDENCE) * _error(mean, sums, counts)
        low, high, method = mean - half, mean + half, "normal"
    else:
        low, high = _bca(mean, sums, counts, seed)
        method = "BCa"
    if minimum <= float(numbers.min()) and float(numbers.max()) <= 1.0:
        low, high = max(minimum, low), min(1.0, high)
        error = _error(mean, sums, counts)
        if len(sums) < SMALL_SAMPLE and error > _MIN_ERROR:
            wider = (_range_bounds(mean, error, len(sums), minimum), _bootstrap_t(mean, error, sums, counts, seed))
            low = max(minimum, min(low, *(bounds[0] for bounds in wider)))
            high = min(1.0, max(high, *(bounds[1] for bounds in wider)))
    if high - low < MIN_WIDTH:
        return _wilson_fallback(mean, n, len(sums), minimum)
    return Estimate(mean, min(low, mean), max(high, mean), n, method)


def _range_bounds(mean: float, error: float, size: int, minimum: float) -> tuple[float, float]:
    """Return Wilson's interval for a mean of values from `minimum` to 1 over few documents.

    The mean is scaled to a proportion from 0 to 1. The sample size is the number of rows at which this proportion would
    have the standard error `error`, which is computed over documents. The bootstrap is not enough here: it draws only
    observed values, and few documents rarely contain the rare values of a skewed metric.
    """
    reach = 1 - minimum
    share = (mean - minimum) / reach
    low, high = wilson(share, share * (1 - share) * (reach / error) ** 2, z=_t_quantile(size))
    return minimum + low * reach, minimum + high * reach


def _bootstrap_t(mean: float, error: float, sums: Floats, counts: Floats, seed: int) -> tuple[float, float]:
    """Return the bootstrap-t interval, which follows the skew of a metric best (Efron and Tibshirani, 1993)."""
    import numpy as np

    size = len(sums)
    drawn = _resampled(size, seed, RESAMPLES)
    rows = np.maximum(drawn @ counts, 1e-300)
    means = (drawn @ sums) / rows
    squares = (drawn * (sums - means[:, None] * counts) ** 2).sum(axis=1)
    errors = np.sqrt(size / (size - 1) * squares) / rows
    spread = errors > error * 1e-3  # a resample of only one document has no spread
    if not spread.any():
        return mean, mean
    upper_t, lower_t = np.quantile(
        (means[spread] - mean) / errors[spread], (0.5 + CONFIDENCE / 2, 0.5 - CONFIDENCE / 2)
    )
    return mean - float(upper_t) * error, mean - float(lower_t) * error


def _wilson_fallback(mean: float, n: int, clusters: int, minimum: float) -> Estimate:
    """Return the Wilson interval for fewer than three rows, or for equal rows.

    It allows for values that do not occur in the sample because the sample is small.
    """
    if not minimum <= mean <= 1.0:
        return Estimate(mean, None, None, n, "")
    if minimum < 0:  # differences: the change that an unseen row could make
        missed = wilson(0.0, clusters)[1]
        low, high = max(minimum, mean - missed), min(1.0, mean + missed)
    else:
        low, high = wilson(mean, clusters)
    return Estimate(mean, low, high, n, "Wilson")


def _by_cluster(numbers: Floats, clusters: Floats) -> tuple[Floats, Floats]:
    """Return the sum and the number of rows per document, or per row if there are few documents."""
    import numpy as np

    _, index = np.unique(clusters, return_inverse=True)
    counts = np.bincount(index).astype(float)
    if len(counts) < MIN_DOCUMENTS:
        return numbers, np.ones(len(numbers))
    return np.bincount(index, weights=numbers), counts


def _error(mean: float, sums: Floats, counts: Floats) -> float:
    """Return the standard error of the mean over documents (ratio estimator)."""
    size = len(sums)
    deviations = sums - mean * counts
    return sqrt(size / max(1, size - 1) * float((deviations**2).sum())) / float(counts.sum())


def _effective_rows(mean: float, sums: Floats, counts: Floats) -> float:
    """Return the effective number of independent rows, at most the number of rows."""
    n = float(counts.sum())
    naive = mean * (1 - mean) / n
    if counts.max() == 1:
        return n
    if naive <= 0:
        return float(len(sums))
    return float(min(n, max(1.0, n * naive / max(_error(mean, sums, counts) ** 2, 1e-300))))


@lru_cache(maxsize=2)
def _resampled(size: int, seed: int, rounds: int) -> Floats:
    """Return how often each of `size` documents is drawn in each round; shape (rounds, size)."""
    import numpy as np

    return np.random.default_rng([seed, size]).multinomial(size, np.full(size, 1 / size), size=rounds)


def _bca(mean: float, sums: Floats, counts: Floats, seed: int) -> tuple[float, float]:
    import numpy as np

    size = len(sums)
    drawn = _resampled(size, seed, RESAMPLES)
    boot = (drawn @ sums) / np.maximum(drawn @ counts, 1e-300)
    without = (sums.sum() - sums) / np.maximum(counts.sum() - counts, 1e-300)
    low, high = np.quantile(boot, _bca_levels(mean, boot, without, size))
    return float(low), float(high)


def _bca_levels(value: float, boot: Floats, without: Floats, size: int) -> list[float]:
    """Return the quantiles of the resampled values for the two bounds. `without` contains the jackknife values."""
    below = float((boot < value).mean() + (boot == value).mean() / 2)
    bias = _NORMAL.inv_cdf(min(max(below, 1 / RESAMPLES), 1 - 1 / RESAMPLES))
    jackknife_gaps = without.mean() - without if len(without) else without
    spread = float((jackknife_gaps**2).sum())
    skew = float((jackknife_gaps**3).sum()) / (6 * spread**1.5) if spread else 0.0
    shares = []
    for side in (-1, 1):
        z = bias + side * _t_quantile(size)
        shares.append(_NORMAL.cdf(bias + z / max(1e-3, 1 - skew * z)))
    return shares


def _t_quantile(size: int) -> float:
    """Return Student's t for `size` documents, times the square root of n / (n - 1) (Hesterberg, 2015)."""
    z, freedom = critical_value(CONFIDENCE), size - 1
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return t * sqrt(size / freedom)


def _sign_flip_p(gap: Floats, clusters: Sequence[int], seed: int) -> float | None:
    """Return the two-sided p: how often random signs of the documents give at least this difference; never 0."""
    import numpy as np

    kept = ~np.isnan(gap)
    if not kept.any():
        return None
    sums, _ = _by_cluster(gap[kept], np.asarray(clusters)[kept])
    observed = abs(float(sums.sum()))
    sums = sums[np.abs(sums) > 1e-12]
    if not len(sums) or observed < 1e-12:
        return 1.0
    if len(sums) > MAX_BOOTSTRAP_DOCUMENTS:
        return max(erfc(observed / sqrt(2 * float((sums**2).sum()))), float_info.min)
    rng = np.random.default_rng([seed, len(sums)])
    rounds, as_large = 4 * RESAMPLES, 0
    # Draw signs in batches to bound memory.
    step = ceil(rounds / max(1, len(sums) // 50))
    for first in range(0, rounds, step):
        signs = rng.integers(0, 2, size=(min(step, rounds - first), len(sums))) * 2 - 1
        as_large += int((np.abs(signs @ sums) >= observed - 1e-9).sum())
    return (as_large + 1) / (rounds + 1)


def _holm(gaps: dict[str, Difference], shown: Collection[str]) -> dict[str, Difference]:
    """Return the differences with the p values of the metrics `shown` corrected for their number."""
    tested = sorted((gap.p, name) for name, gap in gaps.items() if gap.p is not None and name in shown)
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, (p, name) in enumerate(tested):
        highest = max(highest, min(1.0, p * (len(tested) - rank)))
        adjusted[name] = highest
    return {name: Difference(gap.estimate, gap.p, adjusted.get(name)) for name, gap in gaps.items()}
