"""How many words of the query a passage has, all of them alike: what a search was before weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.retrieval.base import Passages, Scored
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.retrieval.base import Scores


class WordOverlap(Scored):
    """The number of different words of the query that a passage has; the shorter of equal ones first."""

    def __init__(self, passages: Passages) -> None:
        super().__init__(passages.ids)
        self._words = [frozenset(content_words(text)) for text in passages.texts]

    def scores(self, query: str) -> Scores:
        import numpy as np

        wanted = frozenset(content_words(query))
        common = [len(wanted & words) for words in self._words]
        return np.array([n - 1e-6 * len(words) if n else 0.0 for n, words in zip(common, self._words, strict=True)])
