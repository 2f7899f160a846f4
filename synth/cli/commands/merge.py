"""The command merge."""

from __future__ import annotations

import argparse

from synth.cli.commands import base
from synth.cli.commands.base import force_option, print_json, progress_of
from synth.core.errors import ConfigError
from synth.core.table import table
from synth.core.terminal import counted

SUMMARY = "merge the workspaces of several machines, or several testsets, into one"
EXAMPLE = "synth merge part-1/ part-2/ --into workspace/"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth merge`."""
    command.add_argument(
        "parts", nargs="+", metavar="PART", help="with --into, workspaces: folders or addresses; with -o, testsets"
    )
    command.add_argument("--into", metavar="WORKSPACE", help="the workspace that receives all values")
    command.add_argument("-o", "--output", **base.OUTPUT, help="the testset that receives all rows")
    force_option(command)


def run(options: argparse.Namespace) -> int:
    """Merge the workspaces or testsets, and print the result."""
    if bool(options.into) == bool(options.output):
        raise ConfigError("merge needs either --into WORKSPACE, for workspaces, or -o FILE, for testsets")
    if options.output:
        return _merge_sets(options)
    from synth.workflows.sharding import merge

    done = merge(options.parts, options.into, progress_of(options))
    if options.json:
        print_json({"into": options.into, "copied": done.copied, "different": done.different})
        return 0
    if done.copied:
        print(table(["kind", "copied"], sorted(done.copied.items())))
    for kind, count in sorted(done.different.items()):
        print(f"values of kind {kind} that differ between workspaces: {count}; the first ones are kept")
    print(f"{counted(sum(done.copied.values()), 'value')} copied into {options.into}")
    return 0


def _merge_sets(options: argparse.Namespace) -> int:
    from synth.workflows.merging import merge_sets

    rows = merge_sets(options.parts, options.output, force=options.force)
    if options.json:
        print_json({"output": options.output, "rows": len(rows)})
    else:
        print(f"{counted(len(rows), 'row')} of {counted(len(options.parts), 'set')} in {options.output}")
    return 0
