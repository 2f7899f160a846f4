"""The command doctor."""

from __future__ import annotations

import argparse

from synth.cli.commands.base import print_json
from synth.core.table import table

SUMMARY = "what is installed, what is missing and how to get it"
EXAMPLE = "synth doctor"


def add_options(_: argparse.ArgumentParser) -> None:
    """`synth doctor` has none."""


def run(options: argparse.Namespace) -> int:
    from synth.core.installation import requirements

    checked = requirements()
    if options.json:
        print_json([{"name": r.name, "version": r.version, "purpose": r.purpose, "advice": r.advice} for r in checked])
    else:
        rows = [[r.name, r.version or "MISSING", r.purpose if r.installed else r.advice] for r in checked]
        print(table(["what", "version", "for, or how to get it"], rows))
    return 0 if all(r.installed for r in checked) else 3
