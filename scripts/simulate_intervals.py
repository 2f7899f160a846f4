"""How often the intervals of `synth evaluate` hold the truth, by simulation: wanted 0.95, at least 0.93.

    python scripts/simulate_intervals.py [--trials 2000]

Rows that stand alone and rows in documents that are easy or hard as a whole; shares, graded and skewed values.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

from synth.core.table import table
from synth.evaluation.intervals import estimates

SIZES = (20, 50, 200)
Draw = Callable[[random.Random], float]


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    rows = []
    for name, (draw, mean) in kinds().items():
        for clustered in (False, True):
            held = [covered(draw, mean, n, trials, clustered=clustered) for n in SIZES]
            rows.append([name, "five a document" if clustered else "alone", *(f"{one:.3f}" for one in held)])
    print(table(["values", "rows", *(f"n = {n}" for n in SIZES)], rows))


def kinds() -> dict[str, tuple[Draw, float]]:
    """What is drawn, and its mean."""
    return {
        "0 or 1, half": (lambda rng: float(rng.random() < 0.5), 0.5),
        "0 or 1, 0.9": (lambda rng: float(rng.random() < 0.9), 0.9),
        "even": (lambda rng: rng.random(), 0.5),
        "mostly high": (lambda rng: rng.betavariate(5, 1), 5 / 6),
        "0 or even, 0.3": (lambda rng: rng.random() if rng.random() < 0.3 else 0.0, 0.15),
        "1 over a rank": (lambda rng: 1 / rng.randrange(1, 11), sum(1 / i for i in range(1, 11)) / 10),
    }


def covered(draw: Draw, mean: float, n: int, trials: int, *, clustered: bool) -> float:
    """The share of trials whose interval holds the mean."""
    held = 0
    for trial in range(trials):
        rng = random.Random(f"{n}:{trial}:{clustered}")
        values = list(drawn(draw, n, rng, clustered=clustered))
        found = estimates({"x": values}, [i // 5 if clustered else i for i in range(n)], trial % 16)["x"]
        held += found.low is not None and found.high is not None and found.low <= mean <= found.high
    return held / trials


def drawn(draw: Draw, n: int, rng: random.Random, *, clustered: bool) -> Iterator[float]:
    """Rows; of a document, each other one is what the first of it is, so that they go together."""
    first = 0.0
    for i in range(n):
        value = draw(rng)
        if i % 5 == 0:
            first = value
        yield first if clustered and rng.random() < 0.5 else value


if __name__ == "__main__":
    main()
