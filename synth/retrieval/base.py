"""What a retriever is: a query in, the passages it finds out, best first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores: TypeAlias = NDArray[Any]

Found: TypeAlias = tuple[str, float]
"""The id of a passage and its score, higher being better."""

Words: TypeAlias = Callable[[str], list[str]]
"""What cuts a text into the words that are matched."""


class Retriever(Protocol):
    """Finds passages of one corpus."""

    def search(self, query: str, k: int) -> list[Found]:
        """At most `k` passages, best first, equal ones by id; none that has nothing to do with the query."""
        ...


@dataclass(frozen=True, slots=True)
class Passages:
    """What is searched: texts by id, in one order."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]


class Scored(ABC):
    """A retriever that gives every passage a score."""

    floor: float = 0.0
    """A passage is found when its score is above this."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = tuple(ids)

    @abstractmethod
    def scores(self, query: str) -> Scores:
        """The score of every passage, in the order of `ids`."""

    def search(self, query: str, k: int) -> list[Found]:
        return [one for one in best(self.ids, self.scores(query), k) if one[1] > self.floor]


def best(ids: Sequence[str], scores: Scores, count: int) -> list[Found]:
    """The `count` ids with the highest scores, best first, ties by id."""
    import numpy as np

    least = np.partition(scores, -count)[-count] if count < len(scores) else scores.min()
    order = sorted(np.flatnonzero(scores >= least).tolist(), key=lambda i: (-scores[i], ids[i]))
    return [(ids[i], float(scores[i])) for i in order[:count]]
