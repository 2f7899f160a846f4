"""Thresholds that a system must reach, from a file or a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from synth.core.fields import Fields, read_toml
from synth.core.plugins import pick

CHANGE = "change"
"""Place of a threshold on the difference from a baseline."""

PROFILES: Mapping[str, Mapping[str, float]] = {
    "mission_critical": {"evidence_recall@10": 0.95, "correctness": 0.9, "abstention": 0.95},
    "standard": {"evidence_recall@10": 0.85, "correctness": 0.75, "abstention": 0.8},
    "exploratory": {"evidence_recall@10": 0.7, "correctness": 0.5, "abstention": 0.5},
}
"""Thresholds by profile; those of metrics without a value are left out."""

_KEYS = ("profile", "min", "not_below", "by")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """`minimums` by metric; `max_drops` a baseline by metric; `slices` by field, value and metric.

    `profile` has thresholds that apply only where the metric has a value.
    """

    minimums: Mapping[str, float] = field(default_factory=dict)
    max_drops: Mapping[str, float] = field(default_factory=dict)
    slices: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    profile: Mapping[str, float] = field(default_factory=dict)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics with thresholds of their own, not those of the profile."""
        by_slice = (least for values in self.slices.values() for least in values.values())
        return tuple(dict.fromkeys(name for least in (self.minimums, self.max_drops, *by_slice) for name in least))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the checks of these thresholds; one of the profile alone has no check where there is no value."""
        slices = [
            named(metric, f"{name}={value}")
            for name, values in self.slices.items()
            for value, least in values.items()
            for metric in least
        ]
        drops = [named(metric, CHANGE) for metric in self.max_drops]
        return tuple(dict.fromkeys((*self.profile, *self.minimums, *slices, *drops)))


def named(metric: str, where: str) -> str:
    """Name of a check: the metric, with the rows or the change that it is about, if not all rows."""
    return f"{metric} ({where})" if where else metric


def profile_named(name: str) -> Mapping[str, float]:
    """The thresholds of a profile. Raises ConfigError, listing the known ones."""
    return pick(dict(PROFILES), name, "profile")


def read_thresholds(path: Path) -> Thresholds:
    """Thresholds from a TOML file.

        profile = "standard"             # leave it out for none
        [min]                            # the least
        "recall@5" = 0.8
        [not_below]                      # largest drop below the baseline
        token_f1 = 0.02
        [by.question_type.reasoning]     # the least in a slice
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
