"""The command verify."""

from __future__ import annotations

import argparse
from pathlib import Path

from synth.cli.commands.base import corpus_options, print_json, print_skipped, progress_of, settings_of
from synth.core.table import table

SUMMARY = "check every row against the corpus"
EXAMPLE = "synth verify testset.jsonl --corpus docs/"


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth verify`."""
    command.add_argument("testset", help="the testset, JSONL")
    command.add_argument("--corpus", nargs="+", required=True, metavar="SOURCE", help="a folder or a file")
    corpus_options(command)


def run(options: argparse.Namespace) -> int:
    from synth.workflows.verifying import verify

    found = verify(Path(options.testset), options.corpus, settings_of(options), progress_of(options))
    if options.json:
        failures = [{"line": f.line, "id": f.id, "reason": f.reason} for f in found.failures]
        print_json({"checked": found.checked, "held": found.held, "failures": failures})
    else:
        print_skipped(found.skipped)
        if found.failures:
            print(table(["line", "row", "does not hold because"], [[f.line, f.id, f.reason] for f in found.failures]))
        share = found.held / found.checked if found.checked else 0.0
        print(f"{found.held} of {found.checked} rows hold ({share:.1%})")
    return 0 if found.checked and not found.failures else 1
