"""Means with a valid interval when a judge scores many rows and people decide few.

This is prediction-powered inference, PPI++ (Angelopoulos, Duchi and Zrnic, 2023). It takes the judge's mean over all
rows and corrects it by the judge's error on the decided rows. The judge's weight is chosen for the shortest interval.
If the judge does not predict people's decisions, the weight is 0 and the result depends on the decisions alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from synth.core.errors import InputError, RecordError
from synth.core.fields import Fields
from synth.core.jsonl import numbered_lines, parsed_line
from synth.evaluation.intervals import CONFIDENCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = Sequence[float] | NDArray[Any]

ENOUGH = 50
"""Number of labels from which the interval has its nominal coverage.

Measured by `scripts/simulate_ppi.py`.
"""

LEAST = 5
"""Number of labels below which no interval is computed."""


@dataclass(frozen=True, slots=True)
class Powered:
    """Estimate of people's mean, from `labels` decided rows and `judged` rows that only a judge scored.

    `weight` is the weight of the judge, from 0 to 1. `labels_only` is the mean, lower and upper bound computed from the
    labels alone. `note` is a caution, "" if there is none. With too few labels, all values are None and `note` says so.
    """

    mean: float | None
    low: float | None
    high: float | None
    labels: int
    judged: int
    weight: float
    labels_only: tuple[float, float, float] | None
    note: str


def powered_mean(decided: Values, judged_there: Values, judged_elsewhere: Values) -> tuple[float, float, float]:
    """Return the PPI++ mean, its standard error and the judge's weight, as ppi_py's `ppi_mean_ci` computes them.

    `decided` and `judged_there` are values of the same rows. `judged_elsewhere` are values of rows that nobody decided.
    """
    import numpy as np

    y, f, g = (np.asarray(values, dtype=float) for values in (decided, judged_there, judged_elsewhere))
    n, more = len(y), len(g)
    both = float(((y - y.mean()) * (f - f.mean())).mean())
    spread = float(np.concatenate([f, g]).var(ddof=1))
    weight = min(1.0, max(0.0, both / ((1 + n / more) * spread))) if spread else 0.0
    mean = weight * float(g.mean()) + float((y - weight * f).mean())
    return mean, sqrt(float((weight * g).var()) / more + float((y - weight * f).var()) / n), weight


def interval(mean: float, error: float) -> tuple[float, float]:
    """Return the normal interval as ppi_py computes it."""
    half = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * error
    return mean - half, mean + half


def widened(mean: float, error: float, labels: int) -> tuple[float, float]:
    """Return the interval for few labels: Wilson's interval with Student's quantile.

    Its number of rows is the number that would give the same standard error. The normal interval is too narrow if most
    labels are equal. At a mean of 0.95, some samples of 50 labels contain hardly any 0, and their standard error is too
    small. So the error is made at least as large as it would be with one more row of the rarer value.
    """
    z, freedom = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2), labels - 1
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    shrunk = (labels * mean + 1) / (labels + 2)
    spread = error**2 * labels / freedom + 1 / (labels + 2) ** 2
    n = shrunk * (1 - shrunk) / spread
    middle = (mean + t * t / (2 * n)) / (1 + t * t / n)
    half = t / (1 + t * t / n) * sqrt(max(0.0, mean * (1 - mean)) / n + t * t / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def power(decided: Values, judged: Values) -> Powered:
    """Combine people's decisions and the judge's values; NaN marks a row without a decision or without a value."""
    import numpy as np

    labels, scores = np.asarray(decided, dtype=float), np.asarray(judged, dtype=float)
    there, elsewhere = ~np.isnan(labels) & ~np.isnan(scores), np.isnan(labels) & ~np.isnan(scores)
    unjudged = int((~np.isnan(labels) & np.isnan(scores)).sum())
    n, more = int(there.sum()), int(elsewhere.sum())
    if n < LEAST:
        return Powered(None, None, None, n, more, 0.0, None, f"only {n} labels, at least {LEAST} are needed")
    y = labels[there]
    alone = float(y.mean())
    own = (alone, *widened(alone, sqrt(float(y.var()) / n), n))
    if not more:
        return Powered(
            own[0], own[1], own[2], n, 0, 0.0, own, "people labelled every judged row; computed from their labels alone"
        )
    mean, error, weight = powered_mean(y, scores[there], scores[elsewhere])
    mean = min(1.0, max(0.0, mean))
    low, high = widened(mean, error, n)
    notes = [f"the interval is unreliable with {n} labels, at least {ENOUGH} are needed"] if n < ENOUGH else []
    if weight == 0:
        notes.append("the judge's values do not predict people's labels; computed from the labels alone")
    if unjudged:
        notes.append(f"{unjudged} labelled rows without a value of the judge are left out")
    return Powered(mean, low, high, n, more, weight, own, "; ".join(notes))


def read_labels(path: Path) -> dict[str, dict[str, float]]:
    """Read people's decisions: values from 0 to 1 by row id and column.

    Each line is an object with the row's `id` and a number or boolean for each metric name. Raises RecordError, naming
    file and line, for an invalid line, and InputError if the file contains no label.
    """
    labels: dict[str, dict[str, float]] = {}
    for number, line in numbered_lines(path):
        place = f"{path.name}:{number}"
        row = Fields(parsed_line(line, place), place)
        id = row.text("id")
        if id in labels:
            raise RecordError(f"{place}: the row '{id}' already has labels on an earlier line; remove one of the lines")
        labels[id] = {name: row.label(name) for name, label in row.values.items() if isinstance(label, int | float)}
    if not any(labels.values()):
        raise InputError(f"{path} contains no label; each line needs an 'id' and a number under a metric's name")
    return labels


def powered(
    values: Mapping[str, Sequence[float]], ids: Sequence[str], labels: Mapping[str, Mapping[str, float]]
) -> dict[str, Powered]:
    """Combine each measured column with people's decisions, for the columns that people decided.

    Raises InputError if no label belongs to a row of the testset or to a measured column.
    """
    named = {name for row in labels.values() for name in row}
    columns = [name for name in values if name in named]
    if not columns:
        raise InputError(
            f"the labels are for metrics that this run does not measure: {', '.join(sorted(named))}; "
            "name one of these with --metrics"
        )
    if not labels.keys() & set(ids):
        raise InputError(
            f"no label belongs to a row of the testset; the first label has the id '{next(iter(labels))}'; "
            "use the ids of the testset"
        )
    nan = float("nan")
    return {name: power([labels.get(id, {}).get(name, nan) for id in ids], values[name]) for name in columns}
