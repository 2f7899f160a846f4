"""BLEU of all answers taken together, as sacrebleu's corpus score has it: no mean of rows."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import exp, log
from typing import TYPE_CHECKING, Any

from synth.intervals import LEVEL, Estimate
from synth.metrics.bleu import ORDER, brevity, closest, matches, pair_tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DRAWS = 1000
_COLUMNS = 2 + 2 * ORDER


class CorpusBleu:
    """What corpus BLEU is made of, row by row: lengths, and of each order the runs that are matched and all of them."""

    def __init__(self) -> None:
        self._numbers = array("d")

    def add(self, answer: str, golden: Sequence[str]) -> None:
        """Take a row in; one without a golden answer counts nothing."""
        row = [0.0] * _COLUMNS
        if golden:
            said, known = pair_tokens(answer, golden)
            lengths = [len(said), closest(len(said), known)]
            totals = [max(0, len(said) - n) for n in range(ORDER)]
            row = [*lengths, *matches(said, known), *totals]
        self._numbers.extend(row)

    def estimate(self, clusters: Sequence[int], seed: int = 0) -> Estimate:
        """BLEU from 0 to 1 over all rows, with a percentile bootstrap over documents."""
        import numpy as np

        rows = np.frombuffer(self._numbers, dtype=float).reshape(-1, _COLUMNS)
        counted = int((rows[:, 1] > 0).sum())
        if not counted:
            return Estimate(None, None, None, 0, "")
        size = max(clusters) + 1
        sums = np.zeros((size, _COLUMNS))
        np.add.at(sums, np.asarray(clusters), rows)
        rng = np.random.default_rng([seed, size])
        drawn = [score(rng.multinomial(size, np.full(size, 1 / size)) @ sums) for _ in range(_DRAWS if size > 1 else 0)]
        mean = score(rows.sum(axis=0))
        if not drawn:
            return Estimate(mean, None, None, counted, "")
        low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        return Estimate(mean, min(float(low), mean), max(float(high), mean), counted, "bootstrap")


def score(numbers: NDArray[Any]) -> float:
    """BLEU of summed numbers, exponential smoothing, no effective order: 0 when an order has nothing to match."""
    length, wanted = float(numbers[0]), float(numbers[1])
    correct, totals = numbers[2 : 2 + ORDER], numbers[2 + ORDER :]
    if not correct.any() or not totals.all():
        return 0.0
    halves, logs = 1.0, 0.0
    for hits, total in zip(correct.tolist(), totals.tolist(), strict=True):
        if not hits:
            halves *= 2
        logs += log(hits / total) if hits else log(1 / (halves * total))
    return min(1.0, brevity(length, wanted) * exp(logs / ORDER))
