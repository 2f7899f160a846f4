"""How much of a question is the wording of its passages, counted as the validity of a set is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from synth.text.beginnings import stems
from synth.text.tokens import words

_RECURS = 2
"""How often two words in a row stand in the passages to be taken for a term."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of some passages and the pairs of them that follow each other, as stems; `terms` are words as they
    stand, two in a row, that come again and again."""

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    terms: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, told: Sequence[str]) -> Wording:
        return _wording(tuple(told))

    def copied(self, question: str) -> tuple[float, float]:
        """The shares of a question's words, and of its pairs of words, that the passages have, from 0 to 1."""
        asked = stems(question)
        pairs = list(pairwise(asked))
        return (
            sum(word in self.words for word in asked) / max(1, len(asked)),
            sum(pair in self.pairs for pair in pairs) / max(1, len(pairs)),
        )


@lru_cache(maxsize=256)
def _wording(told: tuple[str, ...]) -> Wording:
    found = [stems(text) for text in told]
    seen = Counter(pair for text in told for pair in pairwise(words(text)))
    return Wording(
        frozenset(word for text in found for word in text),
        frozenset(pair for text in found for pair in pairwise(text)),
        frozenset(pair for pair, count in seen.items() if count >= _RECURS),
    )
