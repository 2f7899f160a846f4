"""BLEU of all answers taken together, as sacrebleu's corpus score has it: no mean of rows."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from synth.evaluation.intervals import LEVEL, Estimate
from synth.evaluation.metrics.bleu import ORDER, closest, matches, pair_tokens

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
        """BLEU from 0 to 1 over all rows, with a percentile bootstrap over documents.

        There is none without a golden answer, or when no answer has four tokens in a row (sacrebleu then says 0).
        """
        import numpy as np

        rows = np.frombuffer(self._numbers, dtype=float).reshape(-1, _COLUMNS)
        counted = int((rows[:, 1] > 0).sum())
        if not counted:
            return Estimate(None, None, None, 0, "")
        size = max(clusters) + 1
        sums = np.zeros((size, _COLUMNS))
        np.add.at(sums, np.asarray(clusters), rows)
        rng = np.random.default_rng([seed, size])
        if not rows[:, 2 + ORDER :].any(axis=0).all():  # no answer is long enough for the highest order
            return Estimate(None, None, None, 0, "")
        mean = float(scores(rows.sum(axis=0, keepdims=True))[0])
        if size < 2:
            return Estimate(mean, None, None, counted, "")
        drawn = scores(rng.multinomial(size, np.full(size, 1 / size), size=_DRAWS) @ sums)
        low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        return Estimate(mean, min(float(low), mean), max(float(high), mean), counted, "bootstrap")


def scores(numbers: NDArray[Any]) -> NDArray[Any]:
    """BLEU of each row of summed numbers, exponential smoothing, no effective order.

    It is 0 when nothing is matched, or when no answer drawn is long enough for an order.
    """
    import numpy as np

    lengths, wanted = numbers[:, 0], numbers[:, 1]
    correct, totals = numbers[:, 2 : 2 + ORDER], numbers[:, 2 + ORDER :]
    smoothed = np.where(correct > 0, correct, 1 / 2.0 ** np.cumsum(correct == 0, axis=1))
    usable = correct.any(axis=1) & totals.all(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.exp(np.log(smoothed / totals).mean(axis=1))
        penalties = np.where(lengths < wanted, np.exp(1 - wanted / lengths), 1.0)
        return np.where(usable, np.minimum(1.0, penalties * means), 0.0)
