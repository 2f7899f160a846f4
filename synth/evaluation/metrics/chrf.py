"""chrF (Popović, 2015) as sacrebleu computes it: six orders of characters, recall counting twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.metrics.base import AnswerMetric, Case

ORDER, BETA = 6, 2


@dataclass(frozen=True)
class ChrF(AnswerMetric):
    """sacrebleu's chrF2 over 100: F of pieces of one to six characters, white space aside."""

    name = "chrf"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return chrf(case.folding.apply(answer), case.folding.apply(golden))


def chrf(answer: str, golden: str) -> float:
    """chrF of one answer against one golden answer, from 0 to 1."""
    precision = recall = 0.0
    orders = 0
    for said, wanted in zip(_pieces(answer), _pieces(golden), strict=True):
        if said and wanted:
            common = sum(min(said[piece], wanted[piece]) for piece in said.keys() & wanted.keys())
            precision += common / said.total()
            recall += common / wanted.total()
            orders += 1
    if not orders or not precision + recall:
        return 0.0
    precision, recall = precision / orders, recall / orders
    weight = BETA**2
    return (1 + weight) * precision * recall / (weight * precision + recall)


@lru_cache(maxsize=16)
def _pieces(text: str) -> tuple[Counter[str], ...]:
    plain = "".join(text.split())
    return tuple(Counter(plain[i : i + n] for i in range(len(plain) - n + 1)) for n in range(1, ORDER + 1))
