"""Memory and open files of a process that sends many thousands of requests: eight hours at one call a second.

    python scripts/bench_soak.py [--calls 28800] [--fault all=0.02]

One driver, as the commands use it, with its store on the disk, asks the bench server, which takes `--latency` seconds
for a reply and misbehaves as told. Twenty times in the run, the resident memory of the process, its open files and its
threads are printed; the last line compares the first sample after a twentieth of the calls with the end.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench_model import served, stats

from synth.core.store import STORE, Store
from synth.models.chat.base import Message, Request, Steps
from synth.models.chat.driver import Job
from synth.workflows.endpoints import driver, models
from synth.workflows.settings import ModelSettings

SCHEMA = {
    "type": "object",
    "properties": {"brief": {"type": "string"}},
    "required": ["brief"],
    "additionalProperties": False,
}
WORDS = "The keeper of the mill counts his lamps and writes the number into a book. " * 12


def main() -> int:
    """Send the requests and print what the process holds meanwhile; 1 when some were not answered or memory grew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=28_800)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--fault", default="all=0.02", metavar="KIND=SHARE")
    options = parser.parse_args()
    faults = ("--fault", options.fault) if options.fault else ()
    with tempfile.TemporaryDirectory() as scratch, served("--latency", str(options.latency), *faults) as url:
        settings = ModelSettings(name="m", base_url=url, concurrency=options.concurrency, timeout_s=3.0)
        with Store(Path(scratch) / STORE) as store:
            began, held, failed = time.perf_counter(), [sample()], 0
            print(f"{'calls':>7} {'seconds':>8} {'MB':>7} {'files':>6} {'threads':>8}", flush=True)
            for number, outcome in enumerate(driver(settings, models(settings, store), store).run(jobs(options.calls))):
                failed += outcome.failure is not None
                if (number + 1) % max(1, options.calls // 20) == 0:
                    held.append(sample())
                    seconds, (memory, files, threads) = time.perf_counter() - began, held[-1]
                    print(f"{number + 1:>7} {seconds:>8.0f} {memory:>7.1f} {files:>6} {threads:>8}", flush=True)
            held.append(sample())
            stored = store.count("reply")
        seen = stats(url)
    print(f"{options.calls} requests, {seen['requests']} calls, {sum(seen['faults'].values())} faults of the server, "
          f"{failed} given up, {stored} replies stored")  # fmt: skip
    (first, files, _), (last, more_files, _) = held[1], held[-1]
    print(f"memory {first:.1f} to {last:.1f} MB, open files {files} to {more_files}")
    return int(last > 1.2 * first or more_files > files + options.concurrency)


def jobs(count: int) -> Iterator[Job[str]]:
    """As many different requests, in a form that the bench server's author answers."""
    for number in range(count):
        yield Job(key=str(number), steps=_asked(number))


def _asked(number: int) -> Steps[str]:
    text = f"<documents-00000000>\nDocument: {number}.md (Mill {number})\n[1] {WORDS}{number}\n</documents-00000000>"
    messages = (Message("system", 'Reply with {"brief": TEXT}.'), Message("user", text))
    completion = yield Request(messages=messages, purpose="soak", prompt="soak@0", schema=SCHEMA, seed=0)
    return str(completion.text)


def sample() -> tuple[float, int, int]:
    """Resident memory of this process in MB, its open files and its threads."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines())
    return int(status["VmRSS"].split()[0]) / 1024, len(os.listdir("/proc/self/fd")), int(status["Threads"])


if __name__ == "__main__":
    raise SystemExit(main())
