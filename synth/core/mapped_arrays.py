"""Arrays in files that are mapped, so that only what is looked at is in memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def mapped(file: Path) -> np.ndarray:
    """The array of a `.npy` file, to be read only; a plain array, since single numbers of a memmap take long."""
    import numpy as np

    return np.asarray(np.load(file, mmap_mode="r"))
