"""Protocol and base class of retrievers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores: TypeAlias = NDArray[Any]

MOST_PASSAGES = 10_000
"""Maximum number of passages per search that a metric or a system may request."""

ScoredId: TypeAlias = tuple[str, float]
"""Id of a passage and its score; higher is better."""

Words: TypeAlias = Callable[[str], list[str]]
"""Tokeniser: returns the words of a text that are used for matching."""


class Retriever(Protocol):
    """Search over the passages of one corpus."""

    def search(self, query: str, k: int) -> list[ScoredId]:
        """Return the `k` best passages, best first, ties in order of id. Fewer if fewer match the query."""
        ...


@dataclass(frozen=True, slots=True)
class Passages:
    """Passages to search: ids and texts in the same order."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]


class Scored(ABC):
    """Base class of retrievers that score every passage."""

    floor: float = 0.0
    """Score above which a passage matches the query."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = tuple(ids)

    @abstractmethod
    def scores(self, query: str) -> Scores:
        """Return the score of every passage, in the order of `ids`."""

    def search(self, query: str, k: int) -> list[ScoredId]:
        """Return the `k` best passages that match the query, best first, ties in order of id."""
        return [(id, score) for id, score in best(self.ids, self.scores(query), k) if score > self.floor]


def best(ids: Sequence[str], scores: Scores, count: int) -> list[ScoredId]:
    """Return the `count` ids with the highest scores, each with its score, best first, ties in order of id."""
    import numpy as np

    places = np.flatnonzero(scores > 0)  # most passages share no word with a query
    if len(places) < count:
        places = np.arange(len(scores))
    if count < len(places):
        some = scores[places]
        places = places[some >= np.partition(some, -count)[-count]]
    order = sorted(places.tolist(), key=lambda i: (-scores[i], ids[i]))
    return [(ids[i], float(scores[i])) for i in order[:count]]
