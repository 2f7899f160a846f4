"""The verb compare: runs that were kept, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError
from synth.evaluation.stored_runs import Comparison, Run, comparison, kept_runs, read_run


@dataclass(frozen=True, slots=True)
class Compared:
    """Runs in order, and the last of them beside the one before it."""

    runs: tuple[Run, ...]
    last: Comparison
    other_sets: tuple[str, ...] = ()
    """Runs of a folder that were measured differently from the last one, and are not shown."""


def compare(runs: Sequence[Path | str], seed: int = 0) -> Compared:
    """Compare runs: two or more files in order, or one folder of them, its last run with the one before.

    Raises InputError for what is no run, ConfigError for runs that were measured differently.
    """
    paths = [Path(run) for run in runs]
    if len(paths) == 1 and paths[0].is_dir():
        return _history(paths[0], seed)
    if len(paths) < 2:
        raise ConfigError("compare needs two runs, or a folder of runs")
    found = tuple(map(read_run, paths))
    comparisons = [comparison(before, after, seed) for before, after in pairwise(found)]
    return Compared(found, comparisons[-1])


def _history(folder: Path, seed: int) -> Compared:
    every = [read_run(path) for path in kept_runs(folder)]
    if len(every) < 2:
        raise InputError(f"{folder} holds {len(every)} runs; two are needed: synth evaluate … --runs {folder}")
    alike, others, last = [every[-1]], [], None
    for run in reversed(every[:-1]):
        try:
            made = comparison(run, every[-1], seed)
        except ConfigError:
            others.append(run.name)
            continue
        last = last or made
        alike.insert(0, run)
    if last is None:
        return Compared((every[-2], every[-1]), comparison(every[-2], every[-1], seed))
    return Compared(tuple(alike), last, tuple(reversed(others)))


def as_json(found: Compared) -> dict[str, Any]:
    """What was found, as JSON values."""
    return {
        "runs": [
            {"name": run.name, "file": run.path.name, "means": {name: m["mean"] for name, m in run.metrics.items()}}
            for run in found.runs
        ],
        "compared": [found.last.first.name, found.last.second.name],
        "differences": {
            name: {
                "mean": gap.estimate.mean,
                "low": gap.estimate.low,
                "high": gap.estimate.high,
                "n": gap.estimate.n,
                "p": gap.p,
                "p_holm": gap.adjusted,
            }
            for name, gap in found.last.differences.items()
        },
        "refused": dict(found.last.refused),
        "measured_differently": list(found.other_sets),
    }
