"""The command doctor."""

from __future__ import annotations

import argparse

from synth.cli.commands.base import print_json
from synth.core.table import table

SUMMARY = "list installed and missing parts, with how to get them"
EXAMPLE = "synth doctor"


def add_options(_: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(options: argparse.Namespace) -> int:
    from synth.core.installation import findings

    parts = findings()
    if options.json:
        print_json([{"name": f.name, "version": f.version, "purpose": f.purpose, "advice": f.advice} for f in parts])
    else:
        rows = [[f.name, f.version or "MISSING", f.purpose if f.found else f.advice] for f in parts]
        print(table(["what", "version", "for, or how to get it"], rows))
    return 0 if all(f.found for f in parts) else 3
