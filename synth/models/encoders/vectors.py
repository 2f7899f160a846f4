"""Vectors as rows of unit length."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]


def unit_rows(rows: Vectors) -> Vectors:
    """Each row divided by its length; a row of zeros, or of what is no number, becomes the first unit vector.

    An empty text then still has a vector, and cosines are always between -1 and 1.
    """
    import numpy as np

    rows = np.ascontiguousarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lost = ~np.isfinite(lengths[:, 0]) | (lengths[:, 0] == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Vectors = (rows / lengths).astype(np.float32)
    found[lost] = 0
    found[lost, :1] = 1
    return found
