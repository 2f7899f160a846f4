"""The command verify."""

from __future__ import annotations

import argparse
from pathlib import Path

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, print_json, print_skipped, progress_of, settings_of
from synth.core.table import table

SUMMARY = "check every row against the corpus"
EXAMPLE = "synth verify testset.jsonl --corpus docs/"
RARE = base.RARE


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth verify`."""
    command.add_argument("testset", help="the testset, JSONL")
    command.add_argument("--corpus", nargs="+", required=True, metavar="SOURCE", help="a folder or a file")
    corpus_options(command)


def run(options: argparse.Namespace) -> int:
    """Check the set and print the result. Return 1 if a row is invalid or the set contains no row."""
    from synth.workflows.verifying import verify

    result = verify(Path(options.testset), options.corpus, settings_of(options), progress_of(options))
    if options.json:
        failures = [{"line": f.line, "id": f.id, "reason": f.reason} for f in result.failures]
        print_json({"checked": result.checked, "valid": result.valid, "failures": failures})
    else:
        print_skipped(result.skipped, options, Path(options.testset))
        if result.failures:
            print(table(["line", "row", "fails because"], [[f.line, f.id, f.reason] for f in result.failures]))
        share = result.valid / result.checked if result.checked else 0.0
        print(f"{result.valid} of {result.checked} rows are valid ({share:.1%})")
    return 0 if result.checked and not result.failures else 1
