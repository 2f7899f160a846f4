"""A query asked again with the words of what it found first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth.retrieval.base import Passages, Scored
from synth.retrieval.bm25 import LexicalIndex
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.retrieval.base import Scores

FIRST, ADDED, WEIGHT = 3, 10, 0.3
"""Passages that are looked at, words they add, and what these count beside the words of the query."""


class Feedback(Scored):
    """BM25 with pseudo-relevance feedback (Rocchio, 1971): the words that mark the first passages are added."""

    def __init__(self, passages: Passages) -> None:
        super().__init__(passages.ids)
        self._index = LexicalIndex(passages.ids, passages.texts)
        self._words = {id: content_words(text) for id, text in zip(passages.ids, passages.texts, strict=True)}
        self._frequency = self._index.frequencies()

    def scores(self, query: str) -> Scores:
        asked = self._index.scores(query)
        added = self._added(query)
        return asked + WEIGHT * self._index.scores(" ".join(added)) if added else asked

    def _added(self, query: str) -> list[str]:
        first = [name for name, score in self._index.top(query, FIRST) if score > 0]
        counts = Counter(word for name in first for word in self._words[name])
        known = set(content_words(query))
        weights = {word: n / self._frequency.get(word, 1) for word, n in counts.items() if word not in known}
        return sorted(weights, key=lambda word: (-weights[word], word))[:ADDED]
