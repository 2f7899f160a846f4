"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin, 2004), equal to the package rouge-score without stemming."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.metrics.answer_normalisation import HAN
from synth.evaluation.metrics.base import AnswerMetric, Case
from synth.evaluation.metrics.overlap import grams, in_common
from synth.evaluation.metrics.ranking import f1

_HAN = re.compile(f"[{HAN}]")
_WITH_HAN = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")
_WORDS = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=2048)
def rouge_tokens(text: str) -> tuple[str, ...]:
    """Words of letters and digits in lower case; of a text with Chinese, its characters and other words."""
    chinese = not text.isascii() and _HAN.search(text)
    return tuple((_WITH_HAN if chinese else _WORDS).findall(text.lower()))


def lcs(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of the longest sequence of tokens that both have in this order."""
    from rapidfuzz.distance import LCSseq

    return int(LCSseq.similarity(a, b))


def _of_grams(answer: str, golden: str, n: int) -> float:
    a, b = grams(rouge_tokens(answer), n), grams(rouge_tokens(golden), n)
    common = in_common(a, b)
    return f1(common / len(a), common / len(b)) if common else 0.0


@dataclass(frozen=True)
class Rouge1(AnswerMetric):
    """F1 of the words of answer and golden answer, each as often as it comes; Chinese by characters."""

    name = "rouge_1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return _of_grams(case.folding.apply(answer), case.folding.apply(golden), 1)


@dataclass(frozen=True)
class Rouge2(AnswerMetric):
    """F1 of the pairs of words that follow each other; Chinese by characters."""

    name = "rouge_2"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return _of_grams(case.folding.apply(answer), case.folding.apply(golden), 2)


@dataclass(frozen=True)
class RougeL(AnswerMetric):
    """F1 of the longest sequence of words that both have in the same order; Chinese by characters."""

    name = "rouge_l"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        a, b = rouge_tokens(case.folding.apply(answer)), rouge_tokens(case.folding.apply(golden))
        if not a or not b:
            return 0.0
        common = lcs(a, b)
        return f1(common / len(a), common / len(b))
