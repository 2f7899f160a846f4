"""Commands of synth as in an environment with its required dependencies alone: `python -m tests.bare '[["doctor"]]'`.

Every other installed distribution is hidden from imports and from the metadata, by a module `sitecustomize` that calls
`hide`, so in the process of the readers as well. Prints exit code, output and messages of each command, as JSON.
"""

import contextlib
import io
import json
import re
import sys
import tomllib
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path

_NAME = re.compile(r"[\w.-]+")


def _plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def required():
    """Names of the required distributions of synth, and of those that they require."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names, left = {_plain(project["name"])}, list(project["dependencies"])
    while left:
        line = left.pop()
        name = _plain(_NAME.match(line)[0])
        if name not in names and "extra ==" not in line:
            names.add(name)
            with contextlib.suppress(metadata.PackageNotFoundError):
                left += metadata.requires(name) or []
    return names


def hide(allowed):
    """Hide every distribution but those allowed."""
    modules = metadata.packages_distributions()
    hidden = {module for module, owners in modules.items() if not allowed & {_plain(owner) for owner in owners}}
    hidden -= {"synth", "tests"}

    class Bare(PathFinder):
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            return None if name.partition(".")[0] in hidden else PathFinder.find_spec(name, path, target)

        @classmethod
        def find_distributions(cls, *context):
            return (one for one in PathFinder.find_distributions(*context) if _plain(one.name) in allowed)

    sys.meta_path[:] = [Bare if finder is PathFinder else finder for finder in sys.meta_path]


def main():
    from synth.cli.main import main as synth

    results = []
    for command in json.loads(sys.argv[1]):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = synth(command)
            except SystemExit as wrong_usage:
                code = f"usage: {wrong_usage.code}"
        results.append({"code": code, "out": out.getvalue(), "err": err.getvalue()})
    print(json.dumps(results))


if __name__ == "__main__":
    main()
