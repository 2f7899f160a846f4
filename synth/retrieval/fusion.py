"""Combination of several retrievers by the ranks that they give to passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from synth.retrieval.base import Scored

if TYPE_CHECKING:
    from synth.retrieval.base import Scores

CONSTANT = 60


class Fused(Scored):
    """Retriever by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) of retrievers over the same passages."""

    def __init__(self, parts: Sequence[Scored]) -> None:
        super().__init__(parts[0].ids)
        self._parts = tuple(parts)

    def scores(self, query: str) -> Scores:
        """Return the sum of the reciprocal ranks of every passage, in the order of `ids`."""
        import numpy as np

        total = np.zeros(len(self.ids))
        for part in self._parts:
            scores = part.scores(query)
            order = np.argsort(-scores, kind="stable")
            ranks = np.empty(len(order))
            ranks[order] = np.arange(1, len(order) + 1)
            total += np.where(scores > part.floor, 1 / (CONSTANT + ranks), 0.0)
        return total
