"""How often the intervals of `synth evaluate` hold the truth, by simulation: wanted 0.95, at least 0.93.

    python scripts/simulate_intervals.py [--trials 2000]
    python scripts/simulate_intervals.py --drop 0.02 [--trials 400]

Rows that stand alone and rows in documents that are easy or hard as a whole; shares, graded and skewed values. With
`--drop`, how often a system that is as good as before passes `not_below` with that drop, by its share of changed rows.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

from synth.core.table import table
from synth.evaluation.intervals import differences, estimates
from synth.evaluation.threshold_checks import PASSED, check_drops

SIZES = (20, 50, 200)
DOCUMENTS, CHANGED = (20, 50, 200, 800, 1600), (0.0, 0.02, 0.05, 0.1)
Draw = Callable[[random.Random], float]


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--drop", type=float)
    options = parser.parse_args()
    trials = options.trials
    if options.drop is not None:
        shares = [[f"{c:.0%}", *(f"{passing(c, n, options.drop, trials):.2f}" for n in DOCUMENTS)] for c in CHANGED]
        print(table(["rows that change", *(f"{n} documents" for n in DOCUMENTS)], shares))
        return
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


def passing(changed: float, n: int, drop: float, trials: int) -> float:
    """The share of trials in which a system passes `not_below`, though as many rows rise from 0 to 1 as fall."""
    passed = 0
    for trial in range(trials):
        rng = random.Random(f"{changed}:{n}:{trial}")
        before = [float(rng.random() < 0.8) for _ in range(n)]
        after = [1 - x if rng.random() < changed / 2 / (0.8 if x else 0.2) else x for x in before]
        gap = differences({"x": after}, {"x": before}, range(n), trial % 16)["x"]
        passed += check_drops({"x": gap}, {"x": drop})[0].decision == PASSED
    return passed / trials


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
