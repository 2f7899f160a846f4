"""BLEU and chrF of one answer, and BLEU of all answers together, by sacrebleu on a scale from 0 to 1."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from synth.evaluation.intervals import CONFIDENCE, Estimate
from synth.text.language import HAN

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU, BLEUScore
    from sacrebleu.metrics.chrf import CHRF

ORDER = 4
_DRAWS = 1000
_COLUMNS = 2 + 2 * ORDER
_HAN = re.compile(f"[{HAN}]")


@lru_cache(maxsize=512)
def sentence_bleu(answer: str, golden: tuple[str, ...]) -> BLEUScore:
    """Return sacrebleu's sentence BLEU: effective order, exponential smoothing, tokenizer 13a, or zh for Chinese.

    `golden` contains the golden answers, at least one, which serve together as references.
    """
    chinese = any(not text.isascii() and _HAN.search(text) for text in (answer, *golden))
    return _bleu("zh" if chinese else "13a").sentence_score(answer, golden)


def bleu(answer: str, golden: Sequence[str]) -> float:
    """Return the BLEU of one answer against its golden answers, from 0 to 1."""
    return min(1.0, float(sentence_bleu(answer, tuple(golden)).score) / 100)


def chrf(answer: str, golden: str) -> float:
    """Return the chrF2 (Popović, 2015) of one answer against one golden answer, from 0 to 1."""
    return float(_chrf().sentence_score(answer, [golden]).score) / 100


class CorpusBleu:
    """BLEU of all answers together, computed from counts added row by row.

    A row adds its length and the length of the nearest golden answer. For each n, it also adds the number of its
    n-grams and how many of them match.
    """

    def __init__(self) -> None:
        self._counts = array("d")

    def add(self, answer: str, golden: Sequence[str]) -> None:
        """Add a row. A row without a golden answer adds zeros."""
        row: list[float] = [0.0] * _COLUMNS
        if golden:
            score = sentence_bleu(answer, tuple(golden))
            row = [score.sys_len, score.ref_len, *score.counts, *score.totals]
        self._counts.extend(row)

    def estimate(self, clusters: Sequence[int], seed: int = 0) -> Estimate:
        """Return the BLEU over all rows, from 0 to 1, with a percentile bootstrap over documents.

        `clusters` is the document number of each row. The estimate is empty if no row has a golden answer, or no answer
        has four tokens in sequence (where sacrebleu returns 0).
        """
        import numpy as np

        rows = np.frombuffer(self._counts, dtype=float).reshape(-1, _COLUMNS)
        counted = int((rows[:, 1] > 0).sum())
        if not counted or not rows[:, 2 + ORDER :].any(axis=0).all():
            return Estimate(None, None, None, 0, "")
        size = max(clusters) + 1
        sums = np.zeros((size, _COLUMNS))
        np.add.at(sums, np.asarray(clusters), rows)
        mean = _corpus_score(rows.sum(axis=0))
        if size < 2:
            return Estimate(mean, None, None, counted, "")
        rng = np.random.default_rng([seed, size])
        draws = rng.multinomial(size, np.full(size, 1 / size), size=_DRAWS) @ sums
        low, high = np.quantile([_corpus_score(row) for row in draws], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
        return Estimate(mean, min(float(low), mean), max(float(high), mean), counted, "bootstrap")


def _corpus_score(counts: Any) -> float:
    from sacrebleu.metrics.bleu import BLEU

    length, wanted, *grams = (int(count) for count in counts)
    score = BLEU.compute_bleu(grams[:ORDER], grams[ORDER:], length, wanted, smooth_method="exp")
    return min(1.0, float(score.score) / 100)


@cache
def _bleu(tokenizer: str) -> BLEU:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True, tokenize=tokenizer)


@cache
def _chrf() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()
