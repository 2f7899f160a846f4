"""Difficulty matrix of a set: rows by number of needed passages and by the rank of the worst-ranked one.

The matrix follows GRADE (arXiv 2508.16994). GRADE measures difficulty as one minus the lowest similarity of a question
and its evidence. Here it is the worst BM25 rank of a needed passage, because every row has this rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

RANK_BANDS: tuple[tuple[str, float], ...] = (("1", 1), ("2-5", 5), ("6-20", 20), ("over 20", float("inf")))
"""Names of rank bands, each with the highest rank that it contains."""

_MOST_HOPS = 3


def weakest_evidence(metadata: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Count the rows by number of needed passages ("1", "2", "3+") and by rank band of the worst-ranked passage.

    Rows without ranks are left out. The result is {} if no row has ranks.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for row in metadata:
        signals = row.get("difficulty_signals")
        rank = signals.get("bm25_rank") if isinstance(signals, Mapping) else None
        hops = signals.get("hops") if isinstance(signals, Mapping) else None
        if isinstance(rank, int) and isinstance(hops, int) and rank >= 1 and hops >= 1:
            band = next(name for name, last in RANK_BANDS if rank <= last)
            counts[str(hops) if hops < _MOST_HOPS else f"{_MOST_HOPS}+", band] += 1
    return {hops: {band: counts[hops, band] for band, _ in RANK_BANDS} for hops in sorted({hops for hops, _ in counts})}
