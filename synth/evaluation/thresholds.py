"""Thresholds that a system must reach, from a file or a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from synth.core.fields import Fields, read_toml
from synth.core.plugins import pick

CHANGE = "change"
"""Scope of a threshold on the difference from a baseline."""

PROFILES: Mapping[str, Mapping[str, float]] = {
    "mission_critical": {"evidence_recall@10": 0.95, "correctness": 0.9, "abstention": 0.95},
    "standard": {"evidence_recall@10": 0.85, "correctness": 0.75, "abstention": 0.8},
    "exploratory": {"evidence_recall@10": 0.7, "correctness": 0.5, "abstention": 0.5},
}
"""Thresholds of each profile. Thresholds of metrics without a value are ignored."""

_KEYS = ("profile", "min", "not_below", "by")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds from a file.

    - `minimums`: minimum by metric.
    - `max_drops`: largest drop below the baseline, by metric.
    - `slices`: minimum by metadata field, value and metric.
    - `profile`: minimum by metric, applied only to metrics that have a value.
    """

    minimums: Mapping[str, float] = field(default_factory=dict)
    max_drops: Mapping[str, float] = field(default_factory=dict)
    slices: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    profile: Mapping[str, float] = field(default_factory=dict)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics with a threshold outside the profile."""
        by_slice = (least for values in self.slices.values() for least in values.values())
        return tuple(dict.fromkeys(name for least in (self.minimums, self.max_drops, *by_slice) for name in least))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the checks of these thresholds. A check of the profile is skipped if its metric has no value."""
        slices = [
            named(metric, f"{name}={value}")
            for name, values in self.slices.items()
            for value, least in values.items()
            for metric in least
        ]
        drops = [named(metric, CHANGE) for metric in self.max_drops]
        return tuple(dict.fromkeys((*self.profile, *self.minimums, *slices, *drops)))


def named(metric: str, where: str) -> str:
    """Return the name of a check: the metric, followed by `where` in brackets unless it is ""."""
    return f"{metric} ({where})" if where else metric


def profile_named(name: str) -> Mapping[str, float]:
    """Return the thresholds of a profile. Raises ConfigError, listing the known profiles, for an unknown name."""
    return pick(dict(PROFILES), name, "profile")


def read_thresholds(path: Path) -> Thresholds:
    """Read thresholds from a TOML file.

        profile = "standard"             # optional
        [min]                            # minimum
        "recall@5" = 0.8
        [not_below]                      # largest drop below the baseline
        token_f1 = 0.02
        [by.question_type.reasoning]     # minimum in a slice
        correctness = 0.5

    Raises ConfigError naming the file and the wrong key.
    """
    table = read_toml(path, "thresholds")
    table.only(_KEYS)
    by = table.inner("by")
    slices = {
        name: {value: _numbers(values.inner(value)) for value in values.values}
        for name, values in ((name, by.inner(name)) for name in by.values)
    }
    return Thresholds(
        minimums=_numbers(table.inner("min")),
        max_drops=_numbers(table.inner("not_below")),
        slices=slices,
        profile=profile_named(table.text("profile")) if "profile" in table.values else {},
    )


def _numbers(table: Fields) -> dict[str, float]:
    return {name: table.share(name) for name in table.values}
