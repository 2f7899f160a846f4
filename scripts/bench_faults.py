"""What `synth generate` makes of an endpoint that misbehaves: every kind of fault, at 5 % and at 20 % of the calls.

    python scripts/bench_faults.py [-n 40] [--rates 0.05,0.2] [--kinds all,hang]

Each line is a run over made-up documents against the bench server: rows made of those asked for, seconds, calls,
what the server did wrong, requests that were given up, and whether the set is the one of the undisturbed run.
A request that is given up costs its item, for which another one comes; the set is then another.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from bench_corpus import write
from bench_model import served, stats
from bench_server import FAULTS

from synth.core.errors import SynthError
from synth.workflows.api import generate
from synth.workflows.settings import ModelSettings, Settings


def made(corpus: Path, place: Path, url: str, n: int) -> tuple[int, int, bytes, str]:
    """Rows, requests given up, the bytes of the set, and the error that ended the run, "" for none."""
    model = ModelSettings(name="m", base_url=url, concurrency=16, timeout_s=5.0)
    output = place / "testset.jsonl"
    try:
        result = generate([str(corpus)], output, Settings(n=n, workspace=str(place.parent / "ws"), model=model))
    except SynthError as error:
        return 0, 0, b"", str(error)
    failures = sum(result.manifest["model"]["failures"].values())
    return len(result.outcome.samples), failures, output.read_bytes(), ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=40)
    parser.add_argument("--rates", default="0.05,0.2")
    parser.add_argument("--kinds", default=",".join((*FAULTS, "all")))
    options = parser.parse_args()
    print(f"{'fault':<16} {'rate':>5} {'rows':>9} {'seconds':>8} {'calls':>6} {'faults':>7} {'given up':>9}  set")
    runs = [("none", 0.0), *((k, float(r)) for k in options.kinds.split(",") for r in options.rates.split(","))]
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        corpus = write(place / "corpus", max(40, options.n))
        wanted = b""
        for number, (kind, rate) in enumerate(runs):
            faults = ("--fault", f"{kind}={rate}") if rate else ()
            with served("--latency", "0.02", "--plain", *faults) as url:
                began = time.perf_counter()
                # Every server has a port, and so an identity, of its own: nothing is answered from before.
                rows, given_up, data, error = made(corpus, place / f"{number}", url, options.n)
                seen, took = stats(url), time.perf_counter() - began
            wanted = wanted or data
            same = error or ("same" if data == wanted else "another")
            wrong = sum(seen["faults"].values())
            print(
                f"{kind:<16} {rate:>5.0%} {rows:>4}/{options.n:<4} {took:>8.1f} {seen['requests']:>6} {wrong:>7} "
                f"{given_up:>9}  {same}",
                flush=True,
            )


if __name__ == "__main__":
    main()
