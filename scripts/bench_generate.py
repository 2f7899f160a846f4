"""Seconds and peak memory of `synth generate`, by stage, with a cold and with a warm store.

    python scripts/bench_generate.py FOLDER [FOLDER ...] [-n 100]

Every run is a process of its own; "start" is what comes before the first stage (imports, settings)
or after the last (writing). Peak memory is that of the process up to the end of the stage.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from synth.core.progress import Silent, Stage


class Clock(Silent):
    """Notes the seconds of each stage and the peak memory at its end."""

    def __init__(self) -> None:
        self.begun = time.perf_counter()
        self.stages: dict[str, tuple[float, float]] = {}

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]:
        begun = time.perf_counter()
        with super().stage(name, total) as stage:
            yield stage
        self.stages[name] = (time.perf_counter() - begun, peak_mb())

    def finish(self) -> dict[str, tuple[float, float]]:
        total = time.perf_counter() - self.begun
        rest = total - sum(seconds for seconds, _ in self.stages.values())
        return {**self.stages, "rest": (rest, peak_mb()), "all": (total, peak_mb())}


def peak_mb() -> float:
    """Peak resident memory of this process in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def measure(folder: str, workspace: str, n: int) -> None:
    """One run in this process; prints its stages as JSON."""
    clock = Clock()
    from synth.workflows.api import generate
    from synth.workflows.settings import Settings

    generate([folder], Path(workspace) / "testset.jsonl", Settings(n=n, workspace=workspace), clock)
    print(json.dumps(clock.finish()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--one", metavar="WORKSPACE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.folders[0], options.one, options.n)
        return
    print(f"{'folder':<40} {'store':<5} {'stage':<10} {'seconds':>8} {'peak MB':>8}")
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as workspace:
            for state in ("cold", "warm"):
                command = [sys.executable, __file__, folder, "-n", str(options.n), "--one", workspace]
                printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                for stage, (seconds, peak) in json.loads(printed.splitlines()[-1]).items():
                    print(f"{folder[-40:]:<40} {state:<5} {stage:<10} {seconds:>8.1f} {peak:>8.0f}")


if __name__ == "__main__":
    main()
