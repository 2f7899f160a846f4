"""The command doctor."""

from __future__ import annotations

import argparse

from synth.cli.commands.base import print_json
from synth.core.table import table

SUMMARY = "what is installed, what is missing and how to get it; repair of a damaged workspace"
EXAMPLE = "synth doctor"


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth doctor`."""
    command.add_argument(
        "--repair", action="store_true", help="set a damaged workspace aside and keep all that can be read of it"
    )
    command.add_argument("--workspace", metavar="DIR", help="the workspace (the user's cache folder)")


def run(options: argparse.Namespace) -> int:
    if options.repair:
        return _repair(options)
    from synth.core.installation import findings

    found = findings()
    if options.json:
        print_json([{"name": f.name, "version": f.version, "purpose": f.purpose, "advice": f.advice} for f in found])
    else:
        rows = [[f.name, f.version or "MISSING", f.purpose if f.found else f.advice] for f in found]
        print(table(["what", "version", "for, or how to get it"], rows))
    return 0 if all(f.found for f in found) else 3


def _repair(options: argparse.Namespace) -> int:
    from synth.core.store import repaired
    from synth.workflows.session import STORE
    from synth.workflows.settings import Settings

    path = Settings(workspace=options.workspace or "").workspace_path / STORE
    found = repaired(path)
    if options.json:
        print_json({"store": str(path), "kept": found.kept, "aside": str(found.aside) if found.aside else None})
    elif found.aside:
        print(f"{path}: {found.kept} values could be read and are kept; the damaged file is {found.aside}")
    else:
        print(f"{path}: all {found.kept} values can be read")
    return 0
