"""Thresholds that metrics must reach: passed, failed, or not to be told from so few rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.errors import ConfigError
from synth.evaluation import Aggregate
from synth.intervals import Estimate
from synth.plugins import pick

PASSED, FAILED, INCONCLUSIVE = "passed", "failed", "inconclusive"


@dataclass(frozen=True, slots=True)
class Check:
    """One threshold: what was measured, and what that decides."""

    metric: str
    least: float
    estimate: Estimate
    decision: str


def check(metrics: Mapping[str, Aggregate], least: Mapping[str, float]) -> list[Check]:
    """Each threshold against its metric: passed when the whole interval reaches it, failed when none of it does.

    A metric that has no value fails. Raises ConfigError, listing the known ones, for one that was not measured.
    """
    for name, value in least.items():
        if not 0 <= value <= 1:
            raise ConfigError(f"a threshold must be between 0 and 1, as every metric is, was {name}={value}")
    known = dict(metrics)
    return [_decided(name, value, pick(known, name, "metric").estimate) for name, value in least.items()]


def _decided(name: str, least: float, found: Estimate) -> Check:
    if found.mean is None or (found.mean < least and (found.high is None or found.high < least)):
        decision = FAILED
    elif found.mean >= least and (found.low is None or found.low >= least):
        decision = PASSED
    else:
        decision = INCONCLUSIVE
    return Check(name, least, found, decision)
