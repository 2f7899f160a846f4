"""Rerankers of retrieved passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from synth.models.encoders.base import Encoder
from synth.models.encoders.cross_encoder import cross_encoder

NONE, ENCODER = "none", "encoder"


class Reranker(Protocol):
    """Scores passages for a query."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score per text; higher is better."""
        ...


class ByEncoder:
    """Reranks by the cosine between query and passage under an encoder; cheap after a lexical retriever."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        first, *rest = self._encoder.encode([query, *texts])
        return [float(first @ vector) for vector in rest]


class ByCrossEncoder:
    """Reranks by a cross-encoder for pairs (query, passage), given by hub name or folder."""

    def __init__(self, spec: str) -> None:
        self._model = cross_encoder(spec, labels=1)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        scores = self._model.predict([(query, text) for text in texts], show_progress_bar=False)
        return [float(score) for score in scores]


def reranker(name: str, encoder: Callable[[], Encoder]) -> Reranker | None:
    """Return the reranker with this name: "none", "encoder", or the hub name or folder of a cross-encoder.

    For "none" the result is None.
    """
    if name == NONE:
        return None
    return ByEncoder(encoder()) if name == ENCODER else ByCrossEncoder(name)
