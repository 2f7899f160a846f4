"""The command merge."""

from __future__ import annotations

import argparse

from synth.cli.commands.base import print_json, progress_of
from synth.core.table import table
from synth.core.terminal import counted

SUMMARY = "merge the workspaces of several machines into one"
EXAMPLE = "synth merge part-1/ part-2/ --into workspace/"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth merge`."""
    command.add_argument("workspaces", nargs="+", metavar="WORKSPACE", help="a folder or an address")
    command.add_argument("--into", required=True, metavar="WORKSPACE", help="the workspace that receives all values")


def run(options: argparse.Namespace) -> int:
    """Merge the workspaces and print the result."""
    from synth.workflows.sharding import merge

    done = merge(options.workspaces, options.into, progress_of(options))
    if options.json:
        print_json({"into": options.into, "copied": done.copied, "different": done.different})
        return 0
    if done.copied:
        print(table(["kind", "copied"], sorted(done.copied.items())))
    for kind, count in sorted(done.different.items()):
        print(f"values of kind {kind} that differ between workspaces: {count}; the first ones are kept")
    print(f"{counted(sum(done.copied.values()), 'value')} copied into {options.into}")
    return 0
