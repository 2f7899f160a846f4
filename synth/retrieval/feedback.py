"""Retriever with pseudo-relevance feedback: words of the best passages are added to the query."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth.retrieval.base import Passages, Scored
from synth.retrieval.bm25 import LexicalIndex
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.retrieval.base import Scores

FIRST, ADDED, WEIGHT = 3, 10, 0.3
"""Number of best passages used, number of words added from them, and weight of the added words."""


class Feedback(Scored):
    """Retriever by BM25 with pseudo-relevance feedback (Rocchio, 1971).

    The words that are typical of the best passages are added to the query.
    """

    def __init__(self, passages: Passages) -> None:
        super().__init__(passages.ids)
        self._index = LexicalIndex(passages.ids, passages.texts)
        self._words = {id: content_words(text) for id, text in zip(passages.ids, passages.texts, strict=True)}
        self._frequency = self._index.frequencies()

    def scores(self, query: str) -> Scores:
        """Return the score of every passage for the extended query, in the order of `ids`."""
        scores = self._index.scores(query)
        added = self._added(query)
        return scores + WEIGHT * self._index.scores(" ".join(added)) if added else scores

    def _added(self, query: str) -> list[str]:
        first = [name for name, _ in self._index.top(query, FIRST)]
        counts = Counter(word for name in first for word in self._words[name])
        known = set(content_words(query))
        weights = {word: n / self._frequency.get(word, 1) for word, n in counts.items() if word not in known}
        return sorted(weights, key=lambda word: (-weights[word], word))[:ADDED]
