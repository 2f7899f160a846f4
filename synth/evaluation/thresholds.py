"""Thresholds that a system must reach, from a file or a profile."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError
from synth.core.plugins import pick

PROFILES: Mapping[str, Mapping[str, float]] = {
    "mission_critical": {"evidence_recall@10": 0.95, "correctness": 0.9, "support": 0.8, "abstention": 0.95},
    "standard": {"evidence_recall@10": 0.85, "correctness": 0.75, "support": 0.65, "abstention": 0.8},
    "exploratory": {"evidence_recall@10": 0.7, "correctness": 0.5, "support": 0.5, "abstention": 0.5},
}
"""Thresholds by profile; those of metrics without a value are left out."""

_KEYS = ("profile", "min", "not_below", "by")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """`least` by metric; `most_below` a baseline by metric; `slices` by field, value and metric.

    `profile` has thresholds that apply only where the metric has a value.
    """

    least: Mapping[str, float] = field(default_factory=dict)
    most_below: Mapping[str, float] = field(default_factory=dict)
    slices: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    profile: Mapping[str, float] = field(default_factory=dict)


def profile_named(name: str) -> Mapping[str, float]:
    """The thresholds of a profile. Raises ConfigError, listing the known ones."""
    return pick(dict(PROFILES), name, "profile")


def read_thresholds(path: Path) -> Thresholds:
    """Thresholds from a TOML file.

        profile = "standard"             # or none
        [min]                            # the least
        "recall@5" = 0.8
        [not_below]                      # largest drop below the baseline
        token_f1 = 0.02
        [by.question_type.reasoning]     # the least in a slice
        correctness = 0.5

    Raises ConfigError naming the file and the wrong key.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the thresholds {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the thresholds {path} are not TOML: {error}") from error
    for key in table:
        if key not in _KEYS:
            raise ConfigError(f"{path}: unknown key '{key}'; known: {', '.join(_KEYS)}")
    by = _table(table.get("by", {}), f"{path}: 'by'")
    slices = {
        name: {
            value: _numbers(least, f"{path}: 'by.{name}.{value}'")
            for value, least in _table(values, f"{path}: 'by.{name}'").items()
        }
        for name, values in by.items()
    }
    return Thresholds(
        least=_numbers(table.get("min", {}), f"{path}: 'min'"),
        most_below=_numbers(table.get("not_below", {}), f"{path}: 'not_below'"),
        slices=slices,
        profile=profile_named(table["profile"]) if "profile" in table else {},
    )


def _table(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{what} must be a table, was {value!r}")
    return value


def _numbers(value: Any, what: str) -> dict[str, float]:
    table = _table(value, what)
    for name, number in table.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
            raise ConfigError(f"{what}: '{name}' must be a number from 0 to 1, was {number!r}")
    return {name: float(number) for name, number in table.items()}
