"""Retrievers over the passages of a corpus, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from synth.embeddings.base import Encoder
from synth.plugins import pick
from synth.retrieval.bm25 import LexicalIndex

if TYPE_CHECKING:
    import numpy as np

Found: TypeAlias = tuple[str, float]
"""The id of a passage and its score, higher being better."""

CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""


class Retriever(Protocol):
    """Finds passages of one corpus."""

    def search(self, query: str, k: int) -> list[Found]:
        """At most `k` passages, best first, equal ones by id; none that has nothing to do with the query."""
        ...


class Bm25:
    """BM25 over words."""

    def __init__(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        self._index = LexicalIndex(ids, texts)

    def search(self, query: str, k: int) -> list[Found]:
        return [one for one in self._index.top(query, k) if one[1] > 0]


class Dense:
    """The cosine of query and passage under an encoder."""

    def __init__(self, ids: Sequence[str], texts: Sequence[str], encoder: Encoder) -> None:
        self._ids, self._encoder = tuple(ids), encoder
        self._vectors = encoder.encode(texts)

    def search(self, query: str, k: int) -> list[Found]:
        scores: np.ndarray = self._vectors @ self._encoder.encode([query])[0]
        order = sorted(range(len(self._ids)), key=lambda i: (-float(scores[i]), self._ids[i]))
        return [(self._ids[i], float(scores[i])) for i in order[:k]]


class Fused:
    """Reciprocal rank fusion of several retrievers, each asked for `depth` passages."""

    def __init__(self, parts: Sequence[Retriever], depth: int = 100) -> None:
        self._parts, self._depth = tuple(parts), depth

    def search(self, query: str, k: int) -> list[Found]:
        scores: dict[str, float] = {}
        for part in self._parts:
            for rank, (id, _) in enumerate(part.search(query, max(k, self._depth)), start=1):
                scores[id] = scores.get(id, 0.0) + 1 / (CONSTANT + rank)
        return sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:k]


def _bm25(ids: Sequence[str], texts: Sequence[str], _: Callable[[], Encoder]) -> Retriever:
    return Bm25(ids, texts)


def _encoder(ids: Sequence[str], texts: Sequence[str], encoder: Callable[[], Encoder]) -> Retriever:
    return Dense(ids, texts, encoder())


def _hybrid(ids: Sequence[str], texts: Sequence[str], encoder: Callable[[], Encoder]) -> Retriever:
    return Fused((Bm25(ids, texts), Dense(ids, texts, encoder())))


RETRIEVERS = {"bm25": _bm25, "encoder": _encoder, "hybrid": _hybrid}


def retriever(name: str, ids: Sequence[str], texts: Sequence[str], encoder: Callable[[], Encoder]) -> Retriever:
    """The retriever of that name over passages. Raises ConfigError, listing the known ones, for a name nobody has."""
    return pick(RETRIEVERS, name, "retriever")(ids, texts, encoder)
