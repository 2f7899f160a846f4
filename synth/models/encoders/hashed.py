"""Encoder without a model: words and character n-grams, hashed into a vector."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from synth.core.checks import check_least
from synth.models.encoders.vectors import unit_rows
from synth.text.normalise import normalise
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP, words

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors

_VERSION = 1
_STOP_WEIGHT = 0.1
_PIECE_WEIGHT = 0.3
_PIECE = 3


class HashedEncoder:
    """Encoder by feature hashing: texts are similar if they share words or character n-grams, in English or Chinese.

    A hash of each feature (word or n-gram) chooses an element of the vector and a sign. The weight of the feature is
    added to the element with that sign (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009).
    The encoder is fast, and reproducible on every machine and in every batch, but it ignores meaning. It is for tests,
    and for use without a model. `dimension` is at least 8.
    """

    def __init__(self, dimension: int = 512) -> None:
        check_least("the dimension of the hashed encoder", dimension, 8)
        self.dimension = dimension
        self.name = f"hashed-{_VERSION}-{dimension}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row of unit length per text."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in sorted(_features(text).items()):
                place, sign = self._place(feature)
                row[place] += sign * weight
        return unit_rows(rows)

    def _place(self, feature: str) -> tuple[int, int]:
        number = int.from_bytes(
            hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
        )
        return (number >> 1) % self.dimension, 1 if number & 1 else -1


def _features(text: str) -> dict[str, float]:
    """Return the features of a text with their weights. A repeated feature counts by the square root of its count."""
    counts: Counter[tuple[str, float]] = Counter(_counted(text))
    return {feature: weight * math.sqrt(n) for (feature, weight), n in counts.items()}


def _counted(text: str) -> Iterator[tuple[str, float]]:
    for word in words(text):
        stop = word in ENGLISH_STOP or word in CHINESE_STOP
        yield f"w:{word}", _STOP_WEIGHT if stop else 1.0
    plain = f" {normalise(text)} "
    size = _PIECE if plain.isascii() else 2
    for start in range(len(plain) - size + 1):
        yield f"c:{plain[start : start + size]}", _PIECE_WEIGHT
