"""Vectors as rows of unit length."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]


def unit_rows(rows: Vectors) -> Vectors:
    """Return the rows scaled to unit length.

    A row of zeros, or with a number that is not finite, becomes the unit vector (1, 0, 0, …). So even an empty text has
    a vector, and cosines are always between -1 and 1.
    """
    import numpy as np

    rows = np.ascontiguousarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    undefined = ~np.isfinite(lengths[:, 0]) | (lengths[:, 0] == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        units: Vectors = (rows / lengths).astype(np.float32)
    units[undefined] = 0
    units[undefined, :1] = 1
    return units
