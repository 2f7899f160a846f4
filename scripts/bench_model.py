"""How well `synth generate` uses a chat endpoint: the schedule it keeps, and what a row costs.

    python scripts/bench_model.py [FOLDER ...] [-n 200] [--latency 0.2] [--concurrency 32]

Without folders, 100 documents are made up. The bench server answers every call after `--latency` seconds. A first
run, not measured, lets the server work its replies out; the measured one asks another model, so that everything
is sent again. What is asked once, the brief of the documents and the trial of the model, is asked before it and
counted apart. The ideal schedule is calls x latency / concurrency; what is measured is the time from the first request
to the last reply, as the server saw it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from synth.core.progress import Silent
from synth.generation.proposals.trial import Trial
from synth.workflows.proposing import ChatAuthor
from synth.workflows.session import opened_corpus
from synth.workflows.settings import ModelSettings, Settings

HERE = Path(__file__).resolve().parent
TYPES = "simple=.4,reasoning=.2,multi_context=.2,conditional=.2"


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The base URL of a bench server that is stopped afterwards."""
    command = [sys.executable, str(HERE / "bench_server.py"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def stats(url: str, *, forget: bool = False) -> dict[str, Any]:
    """What the server saw; with `forget` it begins to count anew."""
    request = urllib.request.Request(url.removesuffix("/v1") + "/stats", method="POST" if forget else "GET")
    with urllib.request.urlopen(request) as reply:
        found: dict[str, Any] = json.load(reply)
    return found


def generate(folders: Sequence[str], url: str, workspace: Path, output: Path, *options: str) -> int:
    """One run of the command in a process of its own; its exit code."""
    command = [
        sys.executable, "-m", "synth", "generate", *folders, "-o", str(output), "--base-url", url,
        "--workspace", str(workspace), "--quiet", *options,
    ]  # fmt: skip
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode


def begun(folders: Sequence[str], workspace: Path, model: ModelSettings) -> Trial | None:
    """Have a model describe the documents and be tried, as a run does first; replies and trial are kept for the run."""
    settings = Settings(workspace=str(workspace), model=model)
    with opened_corpus(folders, settings, Silent()) as (_, run):
        author = ChatAuthor(run)
        author.prepare()
        return author.trial


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--types", default=TYPES)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--trust", action="store_true", help="without a trial of the model")
    parser.add_argument("--plain", action="store_true", help="an author and a judge that never err")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        folders = options.folders
        if not folders:
            from bench_corpus import write

            folders = [str(write(place / "corpus", 100))]
        workspace, output = place / "ws", place / "out" / "testset.jsonl"
        told = ["-n", str(options.n), "--types", options.types, "--nearest", "--concurrency", str(options.concurrency)]
        told += ["--trust"] if options.trust else []
        wait = ["--latency", str(options.latency), "--slots", str(options.concurrency)]
        wait += ["--plain"] if options.plain else []
        with served(*wait) as url:
            generate(folders, url, workspace, output, *told, "--llm", "first")
            stats(url, forget=True)
            second = ModelSettings(name="second", base_url=url, concurrency=options.concurrency, trust=options.trust)
            trial = begun(folders, workspace, second)
            once = stats(url)
            stats(url, forget=True)
            code = generate(folders, url, workspace, output, *told, "--llm", "second")
            seen = stats(url)
        rows = sum(1 for _ in output.open(encoding="utf-8"))
        manifest = json.loads(output.with_name("manifest.json").read_text(encoding="utf-8"))
    took = seen["last_s"] - seen["first_s"]
    ideal = seen["requests"] * options.latency / options.concurrency
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"once: {once['requests']} calls, {once['prompt_tokens']} prompt tokens; {trial}")
    print(f"exit code {code}, {rows} rows, {seen['requests']} calls, {seen['answered_twice']} of them asked twice")
    print(f"schedule: {took:.1f} s, ideal {ideal:.1f} s, {100 * ideal / took:.0f} %; {seen['most_in_flight']} at once")
    print(f"a row: {seen['requests'] / rows:.2f} calls, {seen['prompt_tokens'] / rows:.0f} prompt tokens, "
          f"{seen['completion_tokens'] / rows:.0f} written; peak memory {peak:.0f} MB")  # fmt: skip
    for purpose, count in manifest["model"]["by_purpose"].items():
        print(f"  {purpose}: {count['calls']} calls, {count['prompt_tokens']} prompt tokens")
    for kind, tally in manifest["funnel"].items():
        print(f"  {kind}: {tally}")


if __name__ == "__main__":
    main()
