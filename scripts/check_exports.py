"""Load an export of a set with the libraries that read it, and push the set with the clients of three services.

`python scripts/check_exports.py TESTSET` tries Ragas, DeepEval, LlamaIndex, promptfoo, Langfuse, LangSmith and Phoenix,
as far as they are installed, and prints a line for each with its version. The services are stand-ins on loopback
(`tests/services.py`). Install the libraries into an environment of their own; promptfoo is a command of Node, which
--promptfoo names.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module, metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from synth.core.table import table
from synth.workflows.exporting import export

sys.path.insert(0, str(Path(__file__).parents[1]))

DISTRIBUTIONS = {
    "ragas": "ragas",
    "deepeval": "deepeval",
    "llamaindex": "llama-index-core",
    "langfuse": "langfuse",
    "langsmith": "langsmith",
    "phoenix": "arize-phoenix-client",
}

MODULES = {"llamaindex": "llama_index.core.llama_dataset", "phoenix": "phoenix.client"}
"""Modules that are not called as the format is."""


def _ragas(file: Path) -> int:
    return len(import_module("ragas").EvaluationDataset.from_jsonl(str(file)))


def _deepeval(file: Path) -> int:
    dataset = import_module("deepeval.dataset").EvaluationDataset()
    dataset.add_goldens_from_json_file(
        file_path=str(file),
        input_key_name="input",
        expected_output_key_name="expected_output",
        context_key_name="context",
    )
    return len(dataset.goldens)


def _llamaindex(file: Path) -> int:
    return len(import_module("llama_index.core.llama_dataset").LabelledRagDataset.from_json(str(file)).examples)


READERS: Mapping[str, Callable[[Path], int]] = {"ragas": _ragas, "deepeval": _deepeval, "llamaindex": _llamaindex}
SERVICES = ("langfuse", "langsmith", "phoenix")


def read(testset: Path, name: str, folder: Path) -> int:
    """The number of rows that a library reads from its export."""
    file = folder / f"{name}.jsonl"
    export(testset, name, file)
    return READERS[name](file)


def pushed(testset: Path, name: str, services: Any) -> int:
    """The number of rows that a service has after two pushes by its client."""
    for _ in range(2):
        export(testset, name, None, repository=f"set-of-{name}")
    return len(services.items[f"set-of-{name}"])


def promptfoo(testset: Path, command: Sequence[str], folder: Path) -> int:
    """The number of tests that promptfoo runs with a provider that repeats the prompt."""
    export(testset, "promptfoo", folder / "tests.jsonl")
    rows = [json.loads(line) for line in (folder / "tests.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row.pop("assert", None)  # they ask a model
    (folder / "tests.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    config = {"prompts": ["{{question}}"], "providers": ["echo"], "tests": "file://tests.jsonl"}
    (folder / "promptfooconfig.json").write_text(json.dumps(config), encoding="utf-8")
    subprocess.run(
        [*command, "eval", "-c", "promptfooconfig.json", "-o", "out.json", "--no-cache", "--no-progress-bar"],
        cwd=folder,
        check=True,
        capture_output=True,
        env={**os.environ, "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1",
             "PROMPTFOO_CONFIG_DIR": str(folder)},
    )  # fmt: skip
    out = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return int(out["results"]["stats"]["successes"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what each library took of the set; 1 where one took another number of rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("testset", type=Path)
    parser.add_argument("--promptfoo", metavar="COMMAND", nargs="+", help="the command promptfoo")
    options = parser.parse_args(arguments)
    services = import_module("tests.services").Services()
    os.environ.update(services.environment)
    testset = options.testset.resolve()
    wanted = sum(1 for _ in testset.open(encoding="utf-8"))
    rows = []
    with TemporaryDirectory() as place:
        folder = Path(place)
        for name, distribution in DISTRIBUTIONS.items():
            try:
                version = metadata.version(distribution)
                import_module(MODULES.get(name, name))
            except (metadata.PackageNotFoundError, ImportError) as error:
                rows.append([name, f"not installed: {error}", "-", wanted])
                continue
            taken = read(testset, name, folder) if name in READERS else pushed(testset, name, services)
            rows.append([name, version, taken, wanted])
        if options.promptfoo:
            printed = subprocess.run([*options.promptfoo, "--version"], capture_output=True, text=True, check=True)
            taken = promptfoo(testset, options.promptfoo, folder)
            rows.append(["promptfoo", printed.stdout.split()[-1], taken, wanted])
    services.close()
    print(table(["library", "version", "rows taken", "rows of the set"], rows))
    return int(any(taken not in ("-", wanted) for _, _, taken, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
