"""How far people agree, beyond what chance would give, over tables with gaps.

Sources: Cohen (1960), for two; Fleiss (1971), for the rows that as many people judged; Krippendorff (2011), for any
number with gaps, nominal or ordinal. Definitions are those of scikit-learn, statsmodels and krippendorff. Each takes
weights of the rows, a matrix with a line a resample, and gives a value a line, so that one computation serves the value
and its bootstrap; NaN where chance alone agrees always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]


def raw_agreement(counts: Floats, weights: Floats) -> Floats:
    """The share of pairs of judgements of one row that are equal, over all pairs.

    `counts` has a line a row and a column a value: how many people gave it.
    """
    judges = counts.sum(axis=1)
    equal = (counts * (counts - 1)).sum(axis=1)
    return _ratio(weights @ equal, weights @ (judges * (judges - 1)))


def cohen(first: Floats, second: Floats, values: int, weights: Floats) -> Floats:
    """Cohen's kappa of two people; `first` and `second` hold for each row the number of the value each gave."""
    import numpy as np

    mine, yours = np.eye(values)[first], np.eye(values)[second]
    total = weights.sum(axis=1)
    observed = _ratio(weights @ (first == second).astype(float), total)
    chance = _ratio(((weights @ mine) * (weights @ yours)).sum(axis=1), total**2)
    return _beyond(observed, chance)


def fleiss(counts: Floats, weights: Floats) -> Floats:
    """Fleiss' kappa of rows that all have as many judgements, at least two; `counts` as for `raw_agreement`."""
    judges = counts[0].sum()
    equal = ((counts * counts).sum(axis=1) - judges) / (judges * (judges - 1))
    total = weights.sum(axis=1)
    observed = _ratio(weights @ equal, total)
    chance = _ratio(((weights @ counts) ** 2).sum(axis=1), (total * judges) ** 2)
    return _beyond(observed, chance)


def krippendorff(counts: Floats, weights: Floats, *, ordinal: bool) -> Floats:
    """Krippendorff's alpha, of rows that have at least two judgements; columns in order of value when `ordinal`."""
    import numpy as np

    judges = counts.sum(axis=1)
    paired = counts[judges > 1]
    weights = weights[:, judges > 1]
    judges = judges[judges > 1]
    values = counts.shape[1]
    pairs = paired[:, :, None] * paired[:, None, :] - np.eye(values) * paired[:, :, None]
    pairs = (pairs / (judges - 1)[:, None, None]).reshape(len(paired), values * values)
    coincidences = (weights @ pairs).reshape(-1, values, values)
    totals = coincidences.sum(axis=2)
    distances = _ordinal_distances(totals) if ordinal else 1.0 - np.eye(values)
    number = totals.sum(axis=1)
    expected = totals[:, :, None] * totals[:, None, :] / np.maximum(number - 1, 1e-300)[:, None, None]
    disagreement = _ratio((coincidences * distances).sum(axis=(1, 2)), (expected * distances).sum(axis=(1, 2)))
    return 1.0 - disagreement


def _ordinal_distances(totals: Floats) -> Floats:
    """The squared number of judgements between two values, half of each of the two counted, by resample."""
    import numpy as np

    below = np.cumsum(totals, axis=1) - totals / 2
    gaps: Floats = (below[:, :, None] - below[:, None, :]) ** 2
    return gaps


def _beyond(observed: Floats, chance: Floats) -> Floats:
    return _ratio(observed - chance, 1.0 - chance)


def _ratio(above: Floats, below: Floats) -> Floats:
    import numpy as np

    defined = np.abs(below) > 1e-12
    return np.where(defined, above / np.where(defined, below, 1.0), np.nan)
