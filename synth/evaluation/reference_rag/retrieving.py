"""Retrievers over the passages of a corpus, by name."""

from __future__ import annotations

from collections.abc import Callable

from synth.core.plugins import pick
from synth.models.encoders.base import Encoder
from synth.retrieval.base import Passages, Retriever
from synth.retrieval.bm25 import Bm25
from synth.retrieval.dense import Dense
from synth.retrieval.fusion import Fused


def _bm25(passages: Passages, _: Callable[[], Encoder]) -> Retriever:
    return Bm25(passages)


def _encoder(passages: Passages, encoder: Callable[[], Encoder]) -> Retriever:
    return Dense(passages, encoder())


def _hybrid(passages: Passages, encoder: Callable[[], Encoder]) -> Retriever:
    return Fused((Bm25(passages), Dense(passages, encoder())))


RETRIEVERS = {"bm25": _bm25, "encoder": _encoder, "hybrid": _hybrid}


def retriever(name: str, passages: Passages, encoder: Callable[[], Encoder]) -> Retriever:
    """The retriever of that name over passages. Raises ConfigError, listing the known names, for an unknown one."""
    return pick(RETRIEVERS, name, "retriever")(passages, encoder)
