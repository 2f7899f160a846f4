"""Shared wording of a question and its passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from synth.generation.matching.coverage import stem
from synth.text.tokens import content_words


@dataclass(frozen=True, slots=True)
class SharedWording:
    """Shares, from 0 to 1, of a question's content words, and of its pairs of them in a row, that a text has.

    Words are compared by their stems. Human questions have 0.77 and 0.36 (English, XQuAD), 0.71 and 0.34 (Chinese,
    XQuAD), 0.83 and 0.49 (Chinese, CMRC 2018) with their paragraphs.
    """

    words: float
    pairs: float


def overlap(question: str, texts: Sequence[str]) -> SharedWording:
    """Wording that a question shares with its passages, taken together; a pair of words must stand in one of them."""
    asked = _stems(question)
    stems = [_told(text) for text in texts]
    pairs = list(pairwise(asked))
    return SharedWording(
        words=_share([any(word in words for words, _ in stems) for word in asked]),
        pairs=_share([any(pair in text_pairs for _, text_pairs in stems) for pair in pairs]),
    )


def _share(hits: Sequence[bool]) -> float:
    return round(sum(hits) / len(hits), 4) if hits else 0.0


def _stems(text: str) -> list[str]:
    return [stem(word) for word in content_words(text)]


@lru_cache(maxsize=4096)
def _told(text: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    stems = _stems(text)
    return frozenset(stems), frozenset(pairwise(stems))
