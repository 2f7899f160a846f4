"""What `synth estimate` says of a run, beside what the run asks of the bench server.

    python scripts/bench_estimate.py [SOURCE:ROWS ...] [--try 20]

Without sources, `corpora/en` and `corpora/zh` are to give 30 rows of all types, and 100 made-up documents 100. Each has
a workspace of its own. What the server answered for the trial counts with the rest, as the estimate counts it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_corpus import write
from bench_model import TYPES, served, stats

from synth.workflows.api import estimate, generate
from synth.workflows.settings import ModelSettings, Settings

ROOT = Path(__file__).resolve().parents[1]
COUNTED = {"calls": "requests", "prompt_tokens": "prompt_tokens", "completion_tokens": "completion_tokens"}


def measure(source: str, rows: int, trial: int, home: Path, *, trust: bool) -> None:
    """Estimate, make the set, and print both."""
    home.mkdir()
    with served("--slots", "32") as url:
        model = ModelSettings(name="m", base_url=url, concurrency=32, trust=trust)
        types = {name: float(share) for name, share in (pair.split("=") for pair in TYPES.split(","))}
        settings = Settings(n=rows, types=types, workspace=str(home / "ws"), model=model)
        said = estimate([source], settings, trial=trial)
        made = len(generate([source], home / "testset.jsonl", settings).outcome.samples)
        seen = stats(url)
    figures = (f"{what} {said.total(what)}/{seen[name]} ({said.total(what) / seen[name]:.2f})"
               for what, name in COUNTED.items())  # fmt: skip
    print(f"{source}, {made} of {rows} rows: said/asked {', '.join(figures)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", metavar="SOURCE:ROWS")
    parser.add_argument("--try", dest="trial", type=int, default=20)
    parser.add_argument("--trust", action="store_true", help="without a trial of the model")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        made_up = [] if options.sources else [f"{write(home / 'documents', 100)}:100"]
        usual = [f"{ROOT / 'corpora' / name}:30" for name in ("en", "zh")]
        for number, one in enumerate(options.sources or [*usual, *made_up]):
            source, _, rows = one.rpartition(":")
            measure(source, int(rows), options.trial, home / str(number), trust=options.trust)


if __name__ == "__main__":
    main()
