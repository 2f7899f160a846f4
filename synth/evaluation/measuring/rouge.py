"""Tokens and scores of ROUGE (Lin, 2004), equal to the package rouge-score without stemming."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from synth.evaluation.measuring.overlap import grams, in_common
from synth.evaluation.measuring.ranking import f1
from synth.text.language import HAN

_HAN = re.compile(f"[{HAN}]")
_WITH_HAN = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")
_WORDS = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=2048)
def rouge_tokens(text: str) -> tuple[str, ...]:
    """Return lower-case words of letters and digits; for a text with Chinese, its characters and other words."""
    chinese = not text.isascii() and _HAN.search(text)
    return tuple((_WITH_HAN if chinese else _WORDS).findall(text.lower()))


def lcs(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of tokens."""
    from rapidfuzz.distance import LCSseq

    return int(LCSseq.similarity(a, b))


def rouge_n(answer: str, golden: str, n: int) -> float:
    """Return the F1 of the n-grams of two texts, counting repetitions."""
    a, b = grams(rouge_tokens(answer), n), grams(rouge_tokens(golden), n)
    common = in_common(a, b)
    return f1(common / len(a), common / len(b)) if common else 0.0
