"""Runs of `synth update` killed with kill -9 at random moments and begun again, until each is through.

    python scripts/bench_update_kills.py [--runs 10] [-n 20]

The corpus is made up, the model is the bench server. Each run has a copy of the set and a workspace of its own, and is
killed one to three times: at a moment drawn from the whole time that an undisturbed update takes, or once the server
has seen a number of requests. After each kill the set must be the old one or the new one, letter for letter, and in the
end it must be the new one with two versions in its history.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_corpus import write
from bench_kills import command, killed
from bench_model import served, stats

CLOSED = "# Closed\n\nNothing is left here. 这里什么也没有了。\n"


def update(corpus: Path, url: str, workspace: Path, testset: Path) -> list[str]:
    """The command that is killed."""
    return [
        sys.executable, "-m", "synth", "update", str(testset), "--corpus", str(corpus), "-o", str(testset),
        "--base-url", url, "--workspace", str(workspace), "--concurrency", "2", "--quiet",
    ]  # fmt: skip


def killed_after(told: list[str], seconds: float) -> bool:
    """Run a command and kill it after so many seconds; False when it was through before."""
    process = subprocess.Popen(told, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def main() -> None:
    """Read the arguments, make the set, and kill."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("-n", type=int, default=20)
    options = parser.parse_args()
    draw, said = random.Random(0), Counter[str]()
    with tempfile.TemporaryDirectory() as scratch, served("--latency", "0.05", "--plain") as url:
        place = Path(scratch)
        corpus, testset, parsed = write(place / "corpus", options.n + 10), place / "set" / "testset.jsonl", place / "ws"
        subprocess.run(
            [sys.executable, "-m", "synth", "graph", "build", str(corpus), "--workspace", str(parsed), "--quiet"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        shutil.copytree(parsed, place / "first")
        told = command(corpus, url, place / "first", testset, options.n)
        subprocess.run(told, check=True, stdout=subprocess.DEVNULL)
        before = testset.read_bytes()
        drawn_on = [json.loads(line)["evidence"][0]["doc_id"] for line in before.splitlines()]
        for name in dict.fromkeys(drawn_on[: max(1, len(drawn_on) // 4)]):
            (corpus / name).write_text(CLOSED, encoding="utf-8")
        wanted, calls, seconds = undisturbed(corpus, url, parsed, testset)
        print(f"undisturbed: {calls} calls, {seconds:.1f} s", flush=True)
        for number in range(options.runs):
            home = place / f"run {number}"
            shutil.copytree(parsed, home / "ws")
            shutil.copytree(testset.parent, home / "set")
            output = home / "set" / "testset.jsonl"
            told = update(corpus, url, home / "ws", output)
            for _ in range(draw.randrange(1, 4)):
                if draw.random() < 0.5:
                    hit = killed(told, url, draw.randrange(1, calls + 1))
                else:
                    hit = killed_after(told, draw.uniform(0, seconds))
                there = output.read_bytes()
                said["kills"] += hit
                said["old set whole"] += hit and there == before
                said["new set whole"] += hit and there == wanted
                said["torn"] += there not in (before, wanted)
            code = subprocess.run(told, check=False, stdout=subprocess.DEVNULL).returncode
            history = json.loads(output.with_name("manifest.json").read_text(encoding="utf-8"))["history"]
            finished = code in (0, 10, 11) and output.read_bytes() == wanted
            said["runs"] += 1
            said["finished with the same set"] += finished and [one["number"] for one in history] == [1, 2]
            print("; ".join(f"{name}: {count}" for name, count in said.items()), flush=True)
            shutil.rmtree(home)


def undisturbed(corpus: Path, url: str, parsed: Path, testset: Path) -> tuple[bytes, int, float]:
    """The bytes of the new set, and the calls and seconds that it takes."""
    home = parsed.with_name("undisturbed")
    shutil.copytree(testset.parent, home / "set")
    shutil.copytree(parsed, home / "ws")
    stats(url, forget=True)
    begun = time.perf_counter()
    subprocess.run(
        update(corpus, url, home / "ws", home / "set" / "testset.jsonl"), check=False, stdout=subprocess.DEVNULL
    )
    seconds = time.perf_counter() - begun
    return (home / "set" / "testset.jsonl").read_bytes(), stats(url)["requests"], seconds


if __name__ == "__main__":
    main()
