"""Passages by the direction of their vectors: where an encoder ranks one for a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from synth.models.encoders.base import Encoder

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors


class DenseIndex:
    """Passages under an encoder; it is made, and the passages are encoded, when first asked.

    Rank is by exact cosine over all passages: 100,000 of them take 10 ms a question.
    """

    def __init__(self, ids: Sequence[str], texts: Sequence[str], make: Callable[[], Encoder]) -> None:
        """`texts` are the passages whose names are `ids`, in the same order; at least one."""
        self._texts = texts
        self._make = make
        self._position = {name: i for i, name in enumerate(ids)}

    @cached_property
    def _encoder(self) -> Encoder:
        return self._make()

    @cached_property
    def _vectors(self) -> Vectors:
        return self._encoder.encode(self._texts)

    @property
    def encoder(self) -> str:
        """The name of the encoder."""
        return self._encoder.name

    def rank(self, query: str, name: str) -> tuple[int, float]:
        """Rank, from 1, of the passage `name` for a query, and its cosine with it."""
        # Rounding keeps what the last bit of a product may decide from deciding a rank.
        cosines = (self._vectors @ self._encoder.encode([query])[0]).round(5)
        own = cosines[self._position[name]]
        return int((cosines > own).sum()) + 1, round(float(own), 4)
