"""How often the intervals of few labels and many judged rows hold the truth, by simulation: wanted 0.95, at least 0.93.

    python scripts/simulate_ppi.py [--trials 2000]

Judges that agree with people well, badly and not at all, that are biased, and that give graded scores; 1,000 rows, of
which some are decided. "normal" is the interval as published (and as ppi_py has it), "synth" the one that is shown.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from synth.core.table import table
from synth.evaluation.prediction_powered import interval, power, powered_mean

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[Any]
    Draw = Callable[[Generator, int], tuple[Floats, Floats]]

ROWS = 1000
LABELS = (20, 50, 100, 200)


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    rows = []
    for name, (draw, mean) in judges().items():
        for n in LABELS:
            normal, shown, width, alone = covered(draw, mean, n, trials)
            rows.append([name, n, f"{normal:.3f}", f"{shown:.3f}", f"{width:.3f}", f"{alone:.3f}"])
    print(table(["people and judge", "labels", "normal holds", "synth holds", "width", "width of labels only"], rows))


def judges() -> dict[str, tuple[Draw, float]]:
    """What people decide and what a judge says of it, and the mean of the first."""
    import numpy as np

    def flipped(mean: float, wrong: float) -> Draw:
        def draw(rng: Generator, n: int) -> tuple[Floats, Floats]:
            people = (rng.random(n) < mean).astype(float)
            return people, np.where(rng.random(n) < wrong, 1 - people, people)

        return draw

    def lenient(rng: Generator, n: int) -> tuple[Floats, Floats]:
        people = (rng.random(n) < 0.6).astype(float)
        return people, np.where((people == 0) & (rng.random(n) < 0.5), 1.0, people)

    def graded(rng: Generator, n: int) -> tuple[Floats, Floats]:
        people = rng.beta(5, 2, n)
        return people, np.clip(people + rng.normal(0.1, 0.15, n), 0, 1)

    return {
        "0.5, 10 % wrong": (flipped(0.5, 0.1), 0.5),
        "0.7, 20 % wrong": (flipped(0.7, 0.2), 0.7),
        "0.9, 10 % wrong": (flipped(0.9, 0.1), 0.9),
        "0.95, 5 % wrong": (flipped(0.95, 0.05), 0.95),
        "0.7, a coin": (flipped(0.7, 0.5), 0.7),
        "0.6, lenient": (lenient, 0.6),
        "graded, too high": (graded, 5 / 7),
    }


def covered(draw: Draw, mean: float, n: int, trials: int) -> tuple[float, float, float, float]:
    """The shares of trials whose normal and whose shown interval hold the mean, and the mean widths."""
    import numpy as np

    normal = shown = 0
    width = alone = 0.0
    for trial in range(trials):
        people, judged = draw(np.random.default_rng([n, trial]), ROWS)
        point, error, _ = powered_mean(people[:n], judged[:n], judged[n:])
        low, high = interval(point, error)
        normal += low <= mean <= high
        decided = np.where(np.arange(ROWS) < n, people, np.nan)
        found = power(decided, judged)
        assert found.low is not None
        assert found.high is not None
        assert found.labels_only is not None
        shown += found.low <= mean <= found.high
        width += (found.high - found.low) / trials
        alone += (found.labels_only[2] - found.labels_only[1]) / trials
    return normal / trials, shown / trials, width, alone


if __name__ == "__main__":
    main()
