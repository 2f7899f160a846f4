"""The command compare."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands.base import names, print_json
from synth.core.table import table

if TYPE_CHECKING:
    from synth.workflows.comparing import Compared

SUMMARY = "compare runs that were kept: what changed, and whether it is more than chance"
EXAMPLE = "synth compare runs/0001-before.json runs/0002-after.json"


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth compare`."""
    command.add_argument("runs", nargs="+", metavar="RUN", help="files of runs in order, or a folder for its history")
    command.add_argument("--metrics", type=names, metavar="NAME,…", help="show only these")
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")


def run(options: argparse.Namespace) -> int:
    """Compare and print; 0 whatever was found."""
    from synth.workflows.comparing import as_json, compare

    found = compare([Path(run) for run in options.runs], options.seed)
    if options.json:
        print_json(as_json(found))
    else:
        _print(found, options.metrics)
    return 0


def _print(found: Compared, wanted: Any) -> None:
    columns = [name for name in found.last.differences if not wanted or {name, name.partition("@")[0]} & set(wanted)]
    rows = []
    for name in columns:
        gap = found.last.differences[name]
        one = gap.estimate
        if one.mean is None:
            continue
        interval = "-" if one.low is None or one.high is None else f"{one.low:+.3f} to {one.high:+.3f}"
        p = "-" if gap.adjusted is None else f"{gap.adjusted:.4f}"
        apart = "yes" if gap.adjusted is not None and gap.adjusted < 0.05 else "no"
        means = [_mean(run.metrics.get(name)) for run in found.runs]
        rows.append([name, *means, f"{one.mean:+.3f}", interval, p, apart, one.n])
    head = ["metric", *(run.name for run in found.runs), "change", "95 % interval", "p (Holm)", "told apart", "rows"]
    print(table(head, rows))
    print(f"change: {found.last.second.name} less {found.last.first.name}")
    for name, why in found.last.refused.items():
        print(f"not compared: {name}: {why}")
    if found.other_sets:
        print(f"measured differently and not shown: {', '.join(found.other_sets)}")


def _mean(one: Any) -> str:
    mean = one.get("mean") if one else None
    return "-" if mean is None else f"{mean:.3f}"
