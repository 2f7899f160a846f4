"""Pruning of edges: the strongest pairs of nodes, with a limit for each node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MIX = 0x9E3779B1


def strongest(
    pairs: Sequence[tuple[Sequence[int], Sequence[int], Sequence[float]]], ids: Sequence[str], most: int
) -> Iterator[tuple[int, int, float]]:
    """Yield pairs to keep as (first, second, weight) with first < second, at most `most` per node.

    `pairs` is a sequence of blocks with three columns: first nodes, second nodes, weights. Nodes are indexes of `ids`.
    A pair may occur twice and in both directions. Pairs are taken in rounds: first each node's best pair, then its
    second best, and so on. Within a round, higher weights come first. So a node that resembles many others is paired
    first with nodes for which it is the best match. Equal weights are ordered by a hash of both ids. If pairs with
    equal weights were ordered by position, nodes would only be paired inside small groups, and each added document
    would change the edges of other documents.
    """
    import numpy as np

    columns = [np.concatenate([np.asarray(part[n]) for part in pairs] or [np.zeros(0)]) for n in range(3)]
    first, second, weights = _distinct(columns[0].astype(np.int64), columns[1].astype(np.int64), columns[2], len(ids))
    salts = np.array([crc32(node.encode("utf-8", "surrogatepass")) for node in ids], dtype=np.uint64)
    ties = (salts[first] ^ salts[second]) * np.uint64(_MIX) & np.uint64(0xFFFFFFFF)
    rounds: list[list[int]] = []
    seen = [0] * len(ids)
    for at in np.lexsort((second, first, ties, -weights)).tolist():
        a, b = int(first[at]), int(second[at])
        place = min(seen[a], seen[b])
        rounds.extend([] for _ in range(place + 1 - len(rounds)))
        rounds[place].append(at)
        seen[a] += 1
        seen[b] += 1
    degrees = [0] * len(ids)
    for at in chain.from_iterable(rounds):
        a, b = int(first[at]), int(second[at])
        if degrees[a] < most and degrees[b] < most:
            degrees[a] += 1
            degrees[b] += 1
            yield a, b, float(weights[at])


def _distinct(
    firsts: NDArray[np.int64], seconds: NDArray[np.int64], weights: NDArray[Any], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Return each pair once, with the smaller number first, and drop pairs of a node with itself."""
    import numpy as np

    keys = np.minimum(firsts, seconds) * max(1, count) + np.maximum(firsts, seconds)
    unique, places = np.unique(keys, return_index=True)
    first, second = np.divmod(unique, max(1, count))
    apart = first != second
    return first[apart], second[apart], weights[places[apart]]
