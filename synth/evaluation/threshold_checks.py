"""Thresholds that metrics must reach: passed, failed, or not to be told from so few rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.errors import ConfigError
from synth.core.plugins import pick
from synth.evaluation.evaluation import Aggregate
from synth.evaluation.intervals import Difference, Estimate

PASSED, FAILED, INCONCLUSIVE = "passed", "failed", "inconclusive"


@dataclass(frozen=True, slots=True)
class Check:
    """One threshold: what was measured, and what that decides.

    `where` is "" for all rows, "field=value" for those of a slice, and "change" for the difference from a baseline.
    """

    metric: str
    least: float
    estimate: Estimate
    decision: str
    where: str = ""

    @property
    def name(self) -> str:
        """The metric and where it was looked at."""
        return f"{self.metric} ({self.where})" if self.where else self.metric

    @property
    def says(self) -> str:
        """What was found and what was wanted, in one line."""
        found = self.estimate
        if found.mean is None:
            return f"{self.name} has no value, at least {self.least:g} wanted"
        if found.low is None or found.high is None:
            return f"{self.name} {found.mean:.3f}, at least {self.least:g} wanted"
        return f"{self.name} {found.mean:.3f} ({found.low:.3f} to {found.high:.3f}), at least {self.least:g} wanted"


def check(metrics: Mapping[str, Aggregate], least: Mapping[str, float], where: str = "") -> list[Check]:
    """Each threshold against its metric: passed when the whole interval reaches it, failed when none of it does.

    A metric that has no value fails. Raises ConfigError, listing the known ones, for one that was not measured.
    """
    for name, value in least.items():
        if not 0 <= value <= 1:
            raise ConfigError(f"a threshold must be between 0 and 1, as every metric is, was {name}={value}")
    known = dict(metrics)
    return [_decided(name, value, pick(known, name, "metric").estimate, where) for name, value in least.items()]


def check_slices(
    slices: Mapping[str, Mapping[str, Mapping[str, Aggregate]]],
    least: Mapping[str, Mapping[str, Mapping[str, float]]],
) -> list[Check]:
    """The thresholds of slices, by field and value. Raises ConfigError for a field or a value that no row has."""
    found = []
    for field, values in least.items():
        known = dict(pick(dict(slices), field, "slice"))
        for value, wanted in values.items():
            found += check(pick(known, value, f"value of {field}"), wanted, f"{field}={value}")
    return found


def check_drops(differences: Mapping[str, Difference], most: Mapping[str, float]) -> list[Check]:
    """By how much metrics may be below a baseline, each against the paired difference from it."""
    known = dict(differences)
    for name, value in most.items():
        if not 0 <= value <= 1:
            raise ConfigError(f"a drop must be between 0 and 1, was {name}={value}")
    return [_decided(name, -value, pick(known, name, "metric").estimate, "change") for name, value in most.items()]


def _decided(name: str, least: float, found: Estimate, where: str) -> Check:
    if found.mean is None or (found.mean < least and (found.high is None or found.high < least)):
        decision = FAILED
    elif found.mean >= least and (found.low is None or found.low >= least):
        decision = PASSED
    else:
        decision = INCONCLUSIVE
    return Check(name, least, found, decision, where)
