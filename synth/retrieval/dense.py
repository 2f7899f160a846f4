"""Dense retrieval: the cosine of query and passage under an encoder."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from synth.models.encoders.base import Encoder
from synth.retrieval.base import Passages, Scored
from synth.text.sentences import split_sentences

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors
    from synth.retrieval.base import Scores


class Dense(Scored):
    """Retriever by the cosine of the query and the whole passage. Passages are encoded at the first query."""

    floor = -1.0

    def __init__(self, passages: Passages, encoder: Encoder) -> None:
        super().__init__(passages.ids)
        self._encoder = encoder
        self._texts = passages.texts

    @cached_property
    def _vectors(self) -> Vectors:
        return self._encoder.encode(self._texts)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.ids)}

    def scores(self, query: str) -> Scores:
        """Return the cosine of every passage with the query, in the order of `ids`."""
        cosines: Scores = self._vectors @ self._encoder.encode([query])[0]
        return cosines

    def rank(self, query: str, name: str) -> tuple[int, float]:
        """Return the rank, counted from 1, of the passage `name` for a query, and its cosine with the query."""
        # Round, so that the last bits of a product do not decide a rank.
        cosines = self.scores(query).round(5)
        own = cosines[self._places[name]]
        return int((cosines > own).sum()) + 1, round(float(own), 4)


class DenseSentences(Scored):
    """Retriever by the cosine of the query and the nearest sentence of the passage."""

    floor = -1.0

    def __init__(self, passages: Passages, encoder: Encoder) -> None:
        super().__init__(passages.ids)
        self._encoder = encoder
        sentences: list[str] = []
        self._starts: list[int] = []
        for text in passages.texts:
            self._starts.append(len(sentences))
            sentences += [text[start:end] for start, end in split_sentences(text)] or [text]
        self._vectors = encoder.encode(sentences)

    def scores(self, query: str) -> Scores:
        """Return the cosine of each passage's nearest sentence with the query, in the order of `ids`."""
        import numpy as np

        by_sentence = self._vectors @ self._encoder.encode([query])[0]
        by_passage: Scores = np.maximum.reduceat(by_sentence, self._starts)
        return by_passage
