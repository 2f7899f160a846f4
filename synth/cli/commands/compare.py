"""The command compare."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands.base import names, print_json
from synth.core.table import table

if TYPE_CHECKING:
    from synth.workflows.comparing import Compared

SUMMARY = "compare stored runs: differences, intervals and significance"
EXAMPLE = "synth compare runs/0001-before.json runs/0002-after.json"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth compare`."""
    command.add_argument("runs", nargs="+", metavar="RUN", help="files of runs in order, or a folder for its history")
    command.add_argument("--metrics", type=names, metavar="NAME,…", help="show only these")
    command.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (0)")


def run(options: argparse.Namespace) -> int:
    """Compare and print."""
    from synth.workflows.comparing import as_json, compare

    result = compare([Path(run) for run in options.runs], options.seed)
    if options.json:
        print_json(as_json(result))
    else:
        _print(result, options.metrics)
    return 0


def _print(result: Compared, wanted: Any) -> None:
    columns = [name for name in result.last.differences if not wanted or {name, name.partition("@")[0]} & set(wanted)]
    rows = []
    for name in columns:
        gap = result.last.differences[name]
        estimate = gap.estimate
        if estimate.mean is None:
            continue
        interval = (
            "-" if estimate.low is None or estimate.high is None else f"{estimate.low:+.3f} to {estimate.high:+.3f}"
        )
        p = "-" if gap.adjusted is None else f"{gap.adjusted:.4f}"
        apart = "yes" if gap.adjusted is not None and gap.adjusted < 0.05 else "no"
        means = [_mean(run.metrics.get(name)) for run in result.runs]
        rows.append([name, *means, f"{estimate.mean:+.3f}", interval, p, apart, estimate.n])
    head = ["metric", *(run.name for run in result.runs), "change", "95 % interval", "p (Holm)", "told apart", "rows"]
    print(table(head, rows))
    print(f"change: {result.last.second.name} less {result.last.first.name}")
    for name, why in result.last.refused.items():
        print(f"not compared: {name}: {why}")
    if result.other_sets:
        print(f"measured differently and not shown: {', '.join(result.other_sets)}")


def _mean(metric: Any) -> str:
    mean = metric.get("mean") if metric else None
    return "-" if mean is None else f"{mean:.3f}"
