"""Index of the texts that may contain a quotation, so that not every text is searched for it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

PIECE = 12
"""Characters of a piece of a text."""
_MOST_BLOCKS = 64
"""Blocks of a quotation that are compared; more make the choice no better."""


class PieceIndex:
    """Index of texts by the hashes of their pieces: characters 0 to PIECE, PIECE to 2 PIECE, and so on.

    A text that contains a quotation contains whole one of any PIECE neighbouring strings of PIECE characters of the
    quotation, in one of its own pieces. It takes 12 bytes for each piece.
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
        """Numbers, ascending, of the texts that may contain `quotation`; all where it is shorter than two pieces."""
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
