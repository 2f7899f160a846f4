"""The verb compare: stored runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError
from synth.evaluation.headlines import headlines
from synth.evaluation.intervals import corrected_for
from synth.evaluation.stored_runs import Choice, Comparison, Run, comparison, kept_runs, read_run


@dataclass(frozen=True, slots=True)
class Compared:
    """Result of `compare`: runs in order, and the comparison of the last with the one before."""

    runs: tuple[Run, ...]
    last: Comparison
    other_sets: tuple[str, ...] = ()
    """Names of runs of the folder that are not shown, since they were measured differently from the last."""


def compare(
    runs: Sequence[Path | str], seed: int = 0, *, metrics: Sequence[str] = (), show_all: bool = False
) -> Compared:
    """Compare runs, given as two or more files in order or as a folder; the last run with the one before.

    `metrics` names those to show, with or without k; without it the headline ones are shown, or with `show_all` all.
    Raises InputError for a file that is not a run, ConfigError for runs measured differently.
    """
    shown = partial(_chosen, metrics=metrics, show_all=show_all)
    paths = [Path(run) for run in runs]
    if len(paths) == 1 and paths[0].is_dir():
        return _history(paths[0], seed, shown)
    if len(paths) < 2:
        raise ConfigError("compare needs two runs, or a folder of runs")
    loaded = tuple(map(read_run, paths))
    comparisons = [comparison(before, after, seed, shown) for before, after in pairwise(loaded)]
    return Compared(loaded, comparisons[-1])


def _history(folder: Path, seed: int, shown: Choice) -> Compared:
    every = [read_run(path) for path in kept_runs(folder)]
    if len(every) < 2:
        raise InputError(f"{folder} has {len(every)} runs; two are needed: synth evaluate … --runs {folder}")
    alike, others, last = [every[-1]], [], None
    for run in reversed(every[:-1]):
        try:
            compared = comparison(run, every[-1], seed, shown)
        except ConfigError:
            others.append(run.name)
            continue
        last = last or compared
        alike.insert(0, run)
    if last is None:
        return Compared((every[-2], every[-1]), comparison(every[-2], every[-1], seed, shown))
    return Compared(tuple(alike), last, tuple(reversed(others)))


def _chosen(columns: Sequence[str], *, metrics: Sequence[str], show_all: bool) -> Sequence[str]:
    if metrics:
        return [name for name in columns if {name, name.partition("@")[0]} & {*metrics}]
    return columns if show_all else headlines(columns)


def as_json(result: Compared) -> dict[str, Any]:
    """A result as JSON values."""
    return {
        "runs": [
            {"name": run.name, "file": run.path.name, "means": {name: m["mean"] for name, m in run.metrics.items()}}
            for run in result.runs
        ],
        "compared": [result.last.first.name, result.last.second.name],
        "corrected_for": corrected_for(result.last.differences),
        "differences": {
            name: {
                "mean": gap.estimate.mean,
                "low": gap.estimate.low,
                "high": gap.estimate.high,
                "n": gap.estimate.n,
                "n_of_each": [len(run.rows(name)) for run in (result.last.first, result.last.second)],
                "p": gap.p,
                "p_holm": gap.adjusted,
            }
            for name, gap in result.last.differences.items()
        },
        "refused": dict(result.last.refused),
        "measured_differently": list(result.other_sets),
    }
