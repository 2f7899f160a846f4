"""The command compare: stored runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError
from synth.core.notebook_table import NotebookTable, Tabular, three_digits
from synth.core.plugins import pick
from synth.evaluation.headlines import headlines
from synth.evaluation.intervals import few_documents, tested_count
from synth.evaluation.stored_runs import Comparison, Run, comparable_columns, comparison, kept_runs, read_run
from synth.workflows.call_files import paths_of


@dataclass(frozen=True, slots=True, repr=False)
class Compared(Tabular):
    """Result of `compare`: the runs in order, and the comparison of the last run with the run before it."""

    runs: tuple[Run, ...]
    last: Comparison
    measured_differently: tuple[str, ...] = ()
    """Names of runs in the folder that are not shown, because they cannot be compared with the last run."""

    def notebook_table(self) -> NotebookTable:
        last, rows = self.last, []
        for name in last.shown:
            gap = last.differences[name]
            means = [three_digits(run.mean(name, last.first.rows(name) & last.second.rows(name))) for run in self.runs]
            figures = (gap.estimate.mean, gap.estimate.low, gap.estimate.high, gap.adjusted)
            rows.append([name, *means, *map(three_digits, figures)])
        head = [
            "metric",
            *(run.name for run in self.runs),
            f"{last.second.name} minus {last.first.name}",
            "from",
            "to",
            "p (Holm)",
        ]
        return NotebookTable(head, rows, self.few_documents)

    @property
    def few_documents(self) -> str:
        """The reason why the intervals are wide despite many rows, or "" if there are enough documents."""
        first, second = self.last.first.documents, self.last.second.documents
        shared = [document for id, document in second.items() if id in first]
        return few_documents(shared, len(shared))


def compare(
    runs: str | Path | Sequence[str | Path], seed: int = 0, *, metrics: str | Sequence[str] = (), show_all: bool = False
) -> Compared:
    """Compare the last of several runs with the run before it.

    - `runs`: two or more files in order, or a folder. From a folder, only the runs that were measured like the last run
      are compared.
    - `metrics`: names, with or without `@k`. If it is empty, the headline metrics are shown, or all metrics with
      `show_all`.

    Raises InputError for a file that is not a run, and for a folder with fewer than two runs. Raises ConfigError for a
    single file, for runs measured differently, and for an unknown metric.
    """
    paths, metrics = paths_of(runs), (metrics,) if isinstance(metrics, str) else metrics
    if len(paths) == 1 and paths[0].is_dir():
        loaded, others = _history(paths[0])
    elif len(paths) == 1:
        raise ConfigError(
            f"{paths[0]} is a single file, and a comparison needs two runs; name two files, or a folder of runs"
        )
    else:
        loaded, others = list(map(read_run, paths)), []
    for before, after in pairwise(loaded):
        comparable_columns(before, after)
    known = {name: name for run in loaded for column in run.values for name in (column, column.partition("@")[0])}
    for name in metrics:
        pick(known, name, "metric or column")
    shown = partial(_chosen, metrics=metrics, show_all=show_all)
    return Compared(tuple(loaded), comparison(loaded[-2], loaded[-1], seed, shown), tuple(others))


def _history(folder: Path) -> tuple[list[Run], list[str]]:
    """Return the runs of a folder that can be compared with the last one, in order, and the names of the other runs."""
    every = [read_run(path) for path in kept_runs(folder)]
    if len(every) < 2:
        raise InputError(f"{folder} contains fewer than two runs; add a run with evaluate and --runs {folder}")
    comparable = [run for run in every if run is every[-1] or _is_comparable(run, every[-1])]
    if len(comparable) == 1:
        comparable = every[-2:]  # the caller refuses them, with the reason
    shown = {run.path for run in comparable}
    return comparable, [run.name for run in every if run.path not in shown]


def _is_comparable(first: Run, second: Run) -> bool:
    try:
        comparable_columns(first, second)
    except ConfigError:
        return False
    return True


def _chosen(columns: Sequence[str], *, metrics: Sequence[str], show_all: bool) -> Sequence[str]:
    if metrics:
        return [name for name in columns if {name, name.partition("@")[0]} & {*metrics}]
    return columns if show_all else headlines(columns)


def as_json(result: Compared) -> dict[str, Any]:
    """Return a result as JSON values."""
    return {
        "runs": [
            {"name": run.name, "file": run.path.name, "means": {name: m["mean"] for name, m in run.metrics.items()}}
            for run in result.runs
        ],
        "compared": [result.last.first.name, result.last.second.name],
        "corrected_for": tested_count(result.last.differences),
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
        "measured_differently": list(result.measured_differently),
    }
