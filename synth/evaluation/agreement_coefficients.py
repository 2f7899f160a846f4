"""Agreement coefficients corrected for chance, for tables with missing judgements.

Cohen (1960) is for two people, Fleiss (1971) for rows with the same number of judgements. Krippendorff (2011) is for
any number of judgements, nominal or ordinal. Definitions follow scikit-learn, statsmodels and the package krippendorff.

Each function takes weights of shape (resamples, rows) and returns one value per resample. So one call computes both the
coefficient and its bootstrap. A value is NaN if chance agreement is 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]


def raw_agreement(counts: Floats, weights: Floats) -> Floats:
    """Return the share of equal pairs among all pairs of judgements of the same row.

    `counts` has shape (rows, values): `counts[r, v]` is the number of people who gave row r the value v.
    """
    judges = counts.sum(axis=1)
    equal = (counts * (counts - 1)).sum(axis=1)
    return _ratio(weights @ equal, weights @ (judges * (judges - 1)))


def cohen(first: Floats, second: Floats, values: int, weights: Floats) -> Floats:
    """Return Cohen's kappa of two people. `first` and `second` contain the value index of each row."""
    import numpy as np

    mine, yours = np.eye(values)[first], np.eye(values)[second]
    total = weights.sum(axis=1)
    observed = _ratio(weights @ (first == second).astype(float), total)
    chance = _ratio(((weights @ mine) * (weights @ yours)).sum(axis=1), total**2)
    return _beyond(observed, chance)


def fleiss(counts: Floats, weights: Floats) -> Floats:
    """Return Fleiss' kappa. All rows must have the same number of judgements, at least two.

    `counts` is as in `raw_agreement`.
    """
    judges = counts[0].sum()
    equal = ((counts * counts).sum(axis=1) - judges) / (judges * (judges - 1))
    total = weights.sum(axis=1)
    observed = _ratio(weights @ equal, total)
    chance = _ratio(((weights @ counts) ** 2).sum(axis=1), (total * judges) ** 2)
    return _beyond(observed, chance)


def krippendorff(counts: Floats, weights: Floats, *, ordinal: bool) -> Floats:
    """Return Krippendorff's alpha over rows with at least two judgements.

    `counts` is as in `raw_agreement`. For `ordinal`, its columns must be in the order of the values.
    """
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
    """Return the squared distances between all values, per resample.

    The distance is the number of judgements between two values, including half of those at each.
    """
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
