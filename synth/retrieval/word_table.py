"""Read-only table from words to numbers, in memory-mapped files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from synth.core.mapped_arrays import mapped

if TYPE_CHECKING:
    import numpy as np


class WordTable(Mapping[str, int]):
    """Read-only mapping from words to numbers in files. A binary search reads only a few pages of the files."""

    def __init__(self, text: np.ndarray, ends: np.ndarray, values: np.ndarray) -> None:
        self._text, self._ends, self._values = text, ends, values

    @classmethod
    def write(cls, stem: Path, numbers: Mapping[str, int]) -> None:
        """Write a table to files whose names begin with `stem`."""
        import numpy as np

        words = sorted(numbers)
        packed = [word.encode("utf-8", "surrogatepass") for word in words]
        stem.with_suffix(".txt").write_bytes(b"".join(packed) or b"\n")
        np.save(stem.with_suffix(".ends.npy"), np.cumsum([0, *map(len, packed)]))
        np.save(stem.with_suffix(".values.npy"), np.array([numbers[word] for word in words], dtype=np.int64))

    @classmethod
    def open(cls, stem: Path) -> WordTable:
        """Return the table in the files whose names begin with `stem`."""
        import numpy as np

        ends, values = (mapped(stem.with_suffix(f".{name}.npy")) for name in ("ends", "values"))
        return cls(np.asarray(np.memmap(stem.with_suffix(".txt"), dtype=np.uint8, mode="r")), ends, values)

    def __getitem__(self, word: str) -> int:
        packed, low, high = word.encode("utf-8", "surrogatepass"), 0, len(self._values)
        while low < high:
            middle = (low + high) // 2
            if self._packed(middle) < packed:
                low = middle + 1
            else:
                high = middle
        if low < len(self._values) and self._packed(low) == packed:
            return int(self._values[low])
        raise KeyError(word)

    def __iter__(self) -> Iterator[str]:
        return (self._packed(n).decode("utf-8", "surrogatepass") for n in range(len(self)))

    def __len__(self) -> int:
        return len(self._values)

    def _packed(self, number: int) -> bytes:
        return bytes(self._text[self._ends[number] : self._ends[number + 1]])
