"""Means over rows of which a judge scored many and people decided few, with a valid interval.

Prediction-powered inference, PPI++ (Angelopoulos, Duchi and Zrnic, 2023): the judge's mean over all rows, corrected
by its error where people decided, weighted for the shortest interval. The weight is 0 for a judge that does not
predict people's decisions; the result is then that of the labels alone.
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
"""Labels from which on the interval has its nominal coverage, by `scripts/simulate_ppi.py`."""

LEAST = 5
"""Labels below which there is no interval."""


@dataclass(frozen=True, slots=True)
class Powered:
    """Estimate of the mean by people, from `labels` decided rows and `judged` rows that only a judge scored.

    `weight` is the weight of the judge, from 0 to 1; `labels_only` the interval of the labels alone; `note` a caution
    or "".
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
    """PPI++'s mean, its standard error and the weight of the judge, as ppi_py's `ppi_mean_ci` has them.

    `decided` and `judged_there` are values of the same rows, `judged_elsewhere` of rows that nobody decided.
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
    """The normal interval, as ppi_py has it."""
    half = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * error
    return mean - half, mean + half


def widened(mean: float, error: float, labels: int) -> tuple[float, float]:
    """The interval for few labels: Wilson's, of as many rows as would be as sure, with Student's quantile.

    The coverage of the normal interval is too low where most labels are alike: some samples of 50 labels at 0.95 have
    hardly a 0, and their error is too small. For the same reason the error is never less than one more row of the
    other kind would make it.
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
    """Join the two columns; NaN stands for a row without a decision, or without a value of the judge."""
    import numpy as np

    labels, scores = np.asarray(decided, dtype=float), np.asarray(judged, dtype=float)
    there, elsewhere = ~np.isnan(labels) & ~np.isnan(scores), np.isnan(labels) & ~np.isnan(scores)
    unjudged = int((~np.isnan(labels) & np.isnan(scores)).sum())
    n, more = int(there.sum()), int(elsewhere.sum())
    if n < LEAST:
        return Powered(None, None, None, n, more, 0.0, None, f"{n} labels are too few; at least {LEAST} are needed")
    y = labels[there]
    alone = float(y.mean())
    own = (alone, *widened(alone, sqrt(float(y.var()) / n), n))
    if not more:
        return Powered(
            own[0], own[1], own[2], n, 0, 0.0, own, "every judged row is decided: these are the labels alone"
        )
    mean, error, weight = powered_mean(y, scores[there], scores[elsewhere])
    mean = min(1.0, max(0.0, mean))
    low, high = widened(mean, error, n)
    notes = [f"{n} labels: from {ENOUGH} on the interval is to be trusted"] if n < ENOUGH else []
    if weight == 0:
        notes.append("the judge says nothing of what people say: these are the labels alone")
    if unjudged:
        notes.append(f"{unjudged} decided rows have no judged value and are left out")
    return Powered(mean, low, high, n, more, weight, own, "; ".join(notes))


def read_labels(path: Path) -> dict[str, dict[str, float]]:
    """People's decisions: by row id the values, from 0 to 1, by column. Raises RecordError naming file and line.

    Each line is an object with the row's `id` and a number or a truth value under the names of metrics.
    """
    labels: dict[str, dict[str, float]] = {}
    for number, line in numbered_lines(path):
        place = f"{path.name}:{number}"
        row = Fields(parsed_line(line, place), place)
        id = row.text("id")
        if id in labels:
            raise RecordError(f"{place}: a second line of labels for '{id}'")
        labels[id] = {name: row.label(name) for name, label in row.values.items() if isinstance(label, int | float)}
    if not any(labels.values()):
        raise InputError(f"{path} has no label: each line needs an 'id' and a number under a metric's name")
    return labels


def powered(
    values: Mapping[str, Sequence[float]], ids: Sequence[str], labels: Mapping[str, Mapping[str, float]]
) -> dict[str, Powered]:
    """Join each measured column with people's decisions, where there are any.

    Raises InputError when the labels are of no row, or of no measured column.
    """
    named = {name for row in labels.values() for name in row}
    columns = [name for name in values if name in named]
    if not columns:
        raise InputError(f"the labels are of {', '.join(sorted(named))}, none of which is measured; see --metrics")
    if not labels.keys() & set(ids):
        raise InputError(f"the labels are of no row of the testset; the first is of '{next(iter(labels))}'")
    nan = float("nan")
    return {name: power([labels.get(id, {}).get(name, nan) for id in ids], values[name]) for name in columns}
