"""The strongest of many pairs of nodes, so that no node is left with more than a given number."""

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
    """Pairs to keep, as (first, second, weight) with first < second.

    `pairs` are columns of first nodes, second nodes and weights, in parts; nodes are numbers of
    `ids`. A pair may come twice and in both directions. Pairs are taken in rounds, those that are the
    best of one of their nodes, then the second best, and so on, each round by weight, and a pair is
    left out when one of its nodes has `most` already: so those whom everyone resembles are not full
    before all others have found something. Between equal weights a hash of the two ids decides, and
    not the order: otherwise many equal pairs would fall apart into closed groups of neighbours,
    and a document that is added would move the edges of all the others.
    """
    import numpy as np

    columns = [np.concatenate([np.asarray(part[n]) for part in pairs] or [np.zeros(0)]) for n in range(3)]
    first, second, weights = _once(columns[0].astype(np.int64), columns[1].astype(np.int64), columns[2], len(ids))
    salts = np.array([crc32(node.encode("utf-8", "surrogatepass")) for node in ids], dtype=np.uint64)
    ties = (salts[first] ^ salts[second]) * np.uint64(_MIX) & np.uint64(0xFFFFFFFF)
    rounds: list[list[int]] = []
    met = [0] * len(ids)
    for at in np.lexsort((second, first, ties, -weights)).tolist():
        a, b = int(first[at]), int(second[at])
        place = min(met[a], met[b])
        rounds.extend([] for _ in range(place + 1 - len(rounds)))
        rounds[place].append(at)
        met[a] += 1
        met[b] += 1
    degrees = [0] * len(ids)
    for at in chain.from_iterable(rounds):
        a, b = int(first[at]), int(second[at])
        if degrees[a] < most and degrees[b] < most:
            degrees[a] += 1
            degrees[b] += 1
            yield a, b, float(weights[at])


def _once(
    one: NDArray[np.int64], other: NDArray[np.int64], weights: NDArray[Any], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Each pair once, the smaller number first; pairs of a node with itself are left out."""
    import numpy as np

    keys = np.minimum(one, other) * max(1, count) + np.maximum(one, other)
    found, places = np.unique(keys, return_index=True)
    first, second = np.divmod(found, max(1, count))
    apart = first != second
    return first[apart], second[apart], weights[places[apart]]
