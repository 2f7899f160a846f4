"""Encoders that metrics share."""

from __future__ import annotations

from functools import lru_cache

from synth.models.encoders.base import Encoder, encoder_named


@lru_cache(maxsize=4)
def shared_encoder(spec: str) -> Encoder:
    """The encoder of that name, loaded once."""
    return encoder_named(spec)
