"""Runs of `synth generate` killed with kill -9 at random moments and begun again, until each is through.

    python scripts/bench_kills.py [--runs 50] [-n 30]

Each run has a workspace of its own and is killed one to three times. In the end its set must have the bytes of an
undisturbed one, and the server must have answered no request twice but those under way at a kill.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_corpus import write
from bench_model import served, stats

CONCURRENCY = 4


def command(corpus: Path, url: str, workspace: Path, output: Path, n: int) -> list[str]:
    return [
        sys.executable, "-m", "synth", "generate", str(corpus), "-o", str(output), "-n", str(n), "--llm", "m",
        "--base-url", url, "--workspace", str(workspace), "--concurrency", str(CONCURRENCY), "--quiet",
    ]  # fmt: skip


def killed(told: list[str], url: str, after: int) -> bool:
    """Run a command and kill it once the server has seen `after` more requests; False when it was through before."""
    begun = stats(url)["requests"]
    process = subprocess.Popen(told, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        if stats(url)["requests"] - begun >= after:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
        time.sleep(0.02)
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("-n", type=int, default=20)
    options = parser.parse_args()
    draw = random.Random(0)
    same = kills = twice = 0
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch, served("--latency", "0.05", "--jitter", "0.05", "--plain") as url:
        place = Path(scratch)
        corpus = write(place / "corpus", options.n + 10)
        # The parses are made once; replies are what is lost or kept.
        parsed, output = place / "parsed", place / "testset.jsonl"
        subprocess.run(
            [sys.executable, "-m", "synth", "graph", "build", str(corpus), "--workspace", str(parsed), "--quiet"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        shutil.copytree(parsed, place / "first")
        subprocess.run(command(corpus, url, place / "first", output, options.n), check=True, capture_output=True)
        wanted, calls = output.read_bytes(), stats(url)["requests"]
        for number in range(options.runs):
            workspace, output = place / f"ws{number}", place / f"{number}" / "testset.jsonl"
            shutil.copytree(parsed, workspace)
            stats(url, forget=True)
            told = command(corpus, url, workspace, output, options.n)
            here = sum(killed(told, url, draw.randrange(1, max(2, calls // 2))) for _ in range(draw.randrange(1, 4)))
            subprocess.run(told, check=True, capture_output=True)
            kills += here
            again = stats(url)["answered_twice"]
            twice += again
            same += output.read_bytes() == wanted
            if again > here * CONCURRENCY:
                print(f"run {number}: {again} requests answered twice with {here} kills")
            shutil.rmtree(workspace)
            print(f"{same} of {number + 1} sets the same, {kills} kills, {calls} calls a run, "
                  f"{twice} requests answered twice, at most {kills * CONCURRENCY} were under way at the kills; "
                  f"{time.perf_counter() - began:.0f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
