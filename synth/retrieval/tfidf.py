"""The cosine of query and passage as vectors of words, each weighted by how rare it is."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from typing import TYPE_CHECKING

from synth.retrieval.base import Passages, Scored
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.retrieval.base import Scores


class TfIdf(Scored):
    """TF-IDF cosine (Salton and Buckley, 1988: ltc.ltc)."""

    def __init__(self, passages: Passages) -> None:
        super().__init__(passages.ids)
        counts = [Counter(content_words(text)) for text in passages.texts]
        held = Counter(word for one in counts for word in one)
        self._rarity = {word: log(1 + len(counts) / n) for word, n in held.items()}
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for i, one in enumerate(counts):
            weights = self._weights(one)
            for word, weight in weights.items():
                self._postings.setdefault(word, []).append((i, weight))

    def scores(self, query: str) -> Scores:
        import numpy as np

        found = np.zeros(len(self.ids))
        for word, weight in self._weights(Counter(content_words(query))).items():
            for i, other in self._postings.get(word, ()):
                found[i] += weight * other
        return found

    def _weights(self, counts: Counter[str]) -> dict[str, float]:
        weights = {word: (1 + log(n)) * self._rarity.get(word, 0.0) for word, n in counts.items()}
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {word: weight / length for word, weight in weights.items()}
