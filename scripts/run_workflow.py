"""Run the steps of a GitHub workflow on this machine, in a copy of the checkout.

`python scripts/run_workflow.py .github/workflows/testset.yml` runs every command of every job, and the scripts of the
actions of this repository, with the variables that GitHub gives them. Checking out, and commenting on a pull request,
are left out; so is installing with --installed, where synth is there already.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
_LEFT_OUT = (".git", ".venv", "build", "quickstart", "__pycache__")
_INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")


def commands(workflow: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The commands of a workflow in order, each with its variables."""
    for job in _read(workflow)["jobs"].values():
        for step in job["steps"]:
            if "run" in step:
                yield step["run"], {}
            elif step["uses"].startswith("./"):
                yield from _of_action(ROOT / step["uses"], step.get("with", {}))


def _of_action(folder: Path, given: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The commands of an action of this repository that need no event of GitHub."""
    action = _read(folder / "action.yml")
    inputs = {name: str(given.get(name, value.get("default", ""))) for name, value in action["inputs"].items()}
    for step in action["runs"]["steps"]:
        environment = {name: _INPUT.sub(lambda match: inputs[match[1]], text) for name, text in step["env"].items()}
        if not any("${{" in value for value in environment.values()):
            yield step["run"], {"GITHUB_ACTION_PATH": str(folder), **environment}


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the commands until one fails, print the summary of the job, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workflow", type=Path)
    parser.add_argument("--installed", action="store_true", help="leave out what installs synth")
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as place:
        folder = Path(place)
        checkout = folder / "checkout"
        shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True)
        files = {name: folder / name.lower() for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.touch()
        environment = {**os.environ, **{name: str(file) for name, file in files.items()}, "RUNNER_TEMP": place}
        for command, variables in commands(options.workflow):
            if options.installed and ("pip install" in command or "install.sh" in command):
                continue
            print(f"$ {command}", flush=True)
            added = files["GITHUB_PATH"].read_text(encoding="utf-8").split()
            path = os.pathsep.join([*reversed(added), environment["PATH"]])
            done = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", command], cwd=checkout, env={**environment, "PATH": path, **variables}
            )
            if done.returncode:
                return done.returncode
        print(files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
