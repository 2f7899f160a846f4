"""Ranks of passages for a question by the cosine of their vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from synth.models.encoders.base import Encoder

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors


class DenseIndex:
    """Passages under an encoder, which is created, and encodes them, at the first use.

    Ranks are by exact cosine over all passages: 10 ms per question for 100,000 of them.
    """

    def __init__(self, ids: Sequence[str], texts: Sequence[str], make: Callable[[], Encoder]) -> None:
        """`texts` are the passages with the `ids`, in the same order; at least one."""
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
        """Name of the encoder."""
        return self._encoder.name

    def rank(self, query: str, name: str) -> tuple[int, float]:
        """Rank, from 1, of the passage `name` for a query, and its cosine with it."""
        # Rounding, so that the last bits of a product do not decide a rank.
        cosines = (self._vectors @ self._encoder.encode([query])[0]).round(5)
        own = cosines[self._position[name]]
        return int((cosines > own).sum()) + 1, round(float(own), 4)
