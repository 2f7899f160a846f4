"""Arrays in memory-mapped files, so that only the parts in use are in memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def mapped(file: Path) -> np.ndarray:
    """Return the array of a `.npy` file, memory-mapped and read-only.

    The result is a plain array, because reading single numbers from a memmap is slow.
    """
    import numpy as np

    return np.asarray(np.load(file, mmap_mode="r"))
