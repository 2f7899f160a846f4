"""Index that finds the few texts that may contain a quotation, so that fewer texts are searched."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

PIECE = 12
"""Length of a piece, in characters."""
_MOST_BLOCKS = 64
"""Maximum number of blocks, of PIECE offsets each, in which a quotation is looked up.

Further blocks would hardly exclude more texts.
"""


class PieceIndex:
    """Index of texts by the hashes of their pieces: characters 0 to PIECE, PIECE to 2 PIECE, and so on.

    A text that contains a quotation has a piece that starts at one of the first PIECE offsets of the quotation, and a
    piece that starts at one of the next PIECE offsets, and so on. The index takes 12 bytes per piece.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        import numpy as np

        hashes, owners = array("q"), array("i")
        self._size = 0
        for number, text in enumerate(texts):
            pieces = {hash(text[at : at + PIECE]) for at in range(0, len(text) - PIECE + 1, PIECE)}
            hashes.extend(pieces)
            owners.extend([number] * len(pieces))
            self._size = number + 1
        found = np.frombuffer(hashes, dtype=np.int64)
        order = np.argsort(found, kind="stable")
        self._hashes, self._owners = found[order], np.frombuffer(owners, dtype=np.int32)[order]

    def candidates(self, quotation: str) -> Sequence[int]:
        """Return the indices, ascending, of the texts that may contain `quotation`.

        All indices are returned if the quotation is shorter than 2 PIECE - 1 characters.
        """
        import numpy as np

        blocks = min((len(quotation) - PIECE + 1) // PIECE, _MOST_BLOCKS)
        if blocks < 1:
            return range(self._size)
        hashes = [hash(quotation[at : at + PIECE]) for at in range(blocks * PIECE)]
        first = np.searchsorted(self._hashes, hashes, "left")
        last = np.searchsorted(self._hashes, hashes, "right")
        rarest = int((last - first).reshape(blocks, PIECE).sum(axis=1).argmin()) * PIECE
        owners = [self._owners[first[at] : last[at]] for at in range(rarest, rarest + PIECE)]
        numbers: list[int] = np.unique(np.concatenate(owners)).tolist()
        return numbers
