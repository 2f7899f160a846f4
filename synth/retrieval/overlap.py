"""Retrieval by the number of shared words, without weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.retrieval.base import Passages, Scored
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.retrieval.base import Scores


class WordOverlap(Scored):
    """Retriever by the number of distinct words that query and passage share. Ties go to the shorter passage."""

    def __init__(self, passages: Passages) -> None:
        super().__init__(passages.ids)
        self._words = [frozenset(content_words(text)) for text in passages.texts]

    def scores(self, query: str) -> Scores:
        """Return the number of shared words of every passage, in the order of `ids`.

        It is reduced slightly for longer passages, to break ties.
        """
        import numpy as np

        query_words = frozenset(content_words(query))
        common = [len(query_words & words) for words in self._words]
        return np.array([n - 1e-6 * len(words) if n else 0.0 for n, words in zip(common, self._words, strict=True)])
