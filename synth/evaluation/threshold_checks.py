"""Checks of metrics against thresholds: passed, failed or inconclusive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.checks import check_range
from synth.core.plugins import pick
from synth.evaluation.evaluation import Aggregate
from synth.evaluation.intervals import Difference, Estimate
from synth.evaluation.thresholds import CHANGE, named

PASSED, FAILED, INCONCLUSIVE = "passed", "failed", "inconclusive"


@dataclass(frozen=True, slots=True)
class Check:
    """Check of one threshold: the estimate and the decision.

    `scope` is "" for all rows, "field=value" for the rows of a slice, and "change" for the difference from a baseline.
    """

    metric: str
    minimum: float
    estimate: Estimate
    decision: str
    scope: str = ""

    @property
    def name(self) -> str:
        """Name of the metric, with the scope in brackets if there is one."""
        return named(self.metric, self.scope)

    @property
    def text(self) -> str:
        """The estimate and the threshold in one line."""
        estimate = self.estimate
        if estimate.mean is None:
            shown = "has no value"
        elif estimate.low is None or estimate.high is None:
            shown = f"{estimate.mean:.3f}"
        else:
            shown = f"{estimate.mean:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"
        return f"{self.name} {shown}; the minimum is {self.minimum:g}"


def check(metrics: Mapping[str, Aggregate], least: Mapping[str, float], scope: str = "") -> list[Check]:
    """Check each threshold in `least` against its metric.

    A check passes if the whole interval reaches the threshold, and fails if no part of the interval does. A metric
    without a value fails. Raises ConfigError, listing the known metrics, if a metric was not measured.
    """
    for name, value in least.items():
        check_range(f"the threshold of {name}", value)
    known = dict(metrics)
    return [_decided(name, value, pick(known, name, "metric").estimate, scope) for name, value in least.items()]


def check_slices(
    slices: Mapping[str, Mapping[str, Mapping[str, Aggregate]]],
    least: Mapping[str, Mapping[str, Mapping[str, float]]],
) -> list[Check]:
    """Check thresholds of slices, by field and value.

    Raises ConfigError if no row has the field or the value.
    """
    checks = []
    for field, values in least.items():
        known = dict(pick(dict(slices), field, "slice"))
        for value, limits in values.items():
            checks += check(pick(known, value, f"value of {field}"), limits, f"{field}={value}")
    return checks


def check_drops(differences: Mapping[str, Difference], most: Mapping[str, float]) -> list[Check]:
    """Check whether the paired differences from a baseline stay within the largest allowed drops `most`."""
    known = dict(differences)
    for name, value in most.items():
        check_range(f"the drop of {name}", value)
    return [_decided(name, -value, pick(known, name, "metric").estimate, CHANGE) for name, value in most.items()]


def _decided(name: str, least: float, estimate: Estimate, scope: str) -> Check:
    if estimate.mean is None or (estimate.mean < least and (estimate.high is None or estimate.high < least)):
        decision = FAILED
    elif estimate.mean >= least and (estimate.low is None or estimate.low >= least):
        decision = PASSED
    else:
        decision = INCONCLUSIVE
    return Check(name, least, estimate, decision, scope)
