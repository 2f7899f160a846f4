"""The command doctor."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from pathlib import Path

from synth.cli.commands.base import print_json
from synth.core.table import table
from synth.core.terminal import counted

SUMMARY = "list installed and missing parts and how to install them; check or repair a workspace"
EXAMPLE = "synth doctor"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth doctor`."""
    command.add_argument(
        "--repair",
        action="store_true",
        help="move a damaged workspace aside, and copy its readable values into a new one",
    )
    command.add_argument(
        "--servers", action="store_true", help="search the usual ports of this machine for servers of chat models"
    )
    command.add_argument("--workspace", metavar="DIR", help="the workspace (the user's cache folder)")


def run(options: argparse.Namespace) -> int:
    """Print the parts, or repair a workspace, or list servers. Return 3 if a required part is missing."""
    if options.repair:
        return _repair(options)
    if options.servers:
        return _servers(options)
    from synth.core.addresses import is_address
    from synth.core.installation import requirements
    from synth.core.store import check_store

    checked = requirements()
    if options.json:
        print_json([asdict(requirement) for requirement in checked])
    else:
        rows = [[r.name, r.version or ("not installed" if r.extra else "MISSING"), r.purpose] for r in checked]
        print(table(["what", "version", "for"], rows))
        missing: dict[str, list[str]] = {}
        for requirement in checked:
            if not requirement.installed:
                missing.setdefault(requirement.advice, []).append(requirement.name)
        for advice, names in missing.items():
            print(f"{', '.join(names)}: {advice}")
    if not is_address(_workspace(options)):
        check_store(_store(options))
    return 0 if all(r.installed or r.extra for r in checked) else 3


def _servers(options: argparse.Namespace) -> int:
    from synth.models.chat.local_servers import describe_servers, local_servers

    servers = local_servers()
    if options.json:
        print_json([asdict(server) for server in servers])
    elif not servers:
        print(describe_servers(servers))
    else:
        rows = [[server.base_url, name] for server in servers for name in server.names or ("no model",)]
        print(table(["server", "name for --llm"], rows))
    return 0


def _repair(options: argparse.Namespace) -> int:
    from synth.core.store import repaired

    path = _store(options)
    result = repaired(path)
    if options.json:
        print_json({"store": str(path), "kept": result.kept, "aside": str(result.aside) if result.aside else None})
    elif result.aside:
        print(f"{path}: {counted(result.kept, 'value')} recovered; the damaged file was moved to {result.aside}")
    else:
        print(f"{path}: no damage; every value can be read ({result.kept})")
    return 0


def _store(options: argparse.Namespace) -> Path:
    from synth.core.store import STORE
    from synth.workflows.settings import Settings

    return Settings(workspace=_workspace(options)).workspace_path / STORE


def _workspace(options: argparse.Namespace) -> str:
    return options.workspace or os.environ.get("SYNTH_WORKSPACE") or ""
