"""The command compare."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from synth.cli.commands import base
from synth.cli.commands.base import (
    change_and_interval,
    names,
    number_shown,
    p_value,
    print_json,
)
from synth.core.table import table
from synth.core.terminal import broken, counted

if TYPE_CHECKING:
    from synth.evaluation.stored_runs import Comparison
    from synth.workflows.comparing import Compared

SUMMARY = "compare stored runs: differences, intervals and significance"
EXAMPLE = "synth compare runs/0001-before.json runs/0002-after.json"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth compare`."""
    command.add_argument("runs", nargs="+", metavar="RUN", help="two or more stored runs in order, or a folder of runs")
    command.add_argument("--metrics", type=names, metavar="NAME,…", help="show only these metrics")
    command.add_argument("--all", action="store_true", help="show all metrics instead of the headline ones")
    command.add_argument("--seed", type=base.COUNT, default=0, help="seed of the bootstrap (0)")


def run(options: argparse.Namespace) -> int:
    """Compare the runs and print the result."""
    from synth.workflows.comparing import as_json, compare

    runs = [Path(run) for run in options.runs]
    result = compare(runs, options.seed, metrics=options.metrics or (), show_all=options.all)
    if options.json:
        print_json(as_json(result))
    else:
        _print(result)
    return 0


def _print(result: Compared) -> None:
    last, rows = result.last, []
    for name in last.shown:
        gap = last.differences[name]
        if gap.estimate.mean is None:
            continue
        p = p_value(gap.adjusted)
        differs = "yes" if gap.adjusted is not None and gap.adjusted < 0.05 else "no"
        shared = last.first.rows(name) & last.second.rows(name)
        means = [number_shown(run.mean(name, shared)) for run in result.runs]
        rows.append([name, *means, *change_and_interval(gap.estimate), p, differs])
    print(
        f"change: {last.second.name} minus {last.first.name}; p is corrected for {counted(len(rows), 'metric')} (Holm)"
    )
    head = ["metric", *(run.name for run in result.runs), "change", "95% interval", "p (Holm)", "differs"]
    print(table(head, rows))
    if result.few_documents:
        print(broken(result.few_documents))
    _print_rows(last, [row[0] for row in rows])
    for name, why in last.refused.items():
        print(f"not compared: {name}: {why}")
    if result.measured_differently:
        print(
            f"metrics not shown, because the runs measured them differently: {', '.join(result.measured_differently)}"
        )


def _print_rows(last: Comparison, names: Sequence[str]) -> None:
    """Print how many rows have values in the first run, in the second, and in both.

    Only rows in both enter the means.
    """
    metrics_by_counts: dict[tuple[int, int, int], list[str]] = {}
    for name in names:
        first, second = last.first.rows(name), last.second.rows(name)
        metrics_by_counts.setdefault((len(first), len(second), len(first & second)), []).append(name)
    most_first = sorted(metrics_by_counts.items(), key=lambda group: -len(group[1]))
    for i, ((of_first, of_second, of_both), metrics) in enumerate(most_first):
        what = f"rows with a value of {', '.join(metrics)}" if i else "rows"
        print(f"{what}: {of_first} in {last.first.name}, {of_second} in {last.second.name}, {of_both} in both")
