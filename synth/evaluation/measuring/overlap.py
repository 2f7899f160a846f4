"""Overlap of two lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def overlap(given: Sequence[Hashable], wanted: Sequence[Hashable]) -> tuple[float, float]:
    """Return the precision and recall of the given items; both are 1 if both lists are empty."""
    if not given or not wanted:
        equal = float(not given and not wanted)
        return equal, equal
    common = in_common(given, wanted)
    return common / len(given), common / len(wanted)


def in_common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the number of items that two lists share, counting repetitions that both have.

    Distinct items are counted by sets. Repetitions are counted only if both lists have some, which is several times
    faster than counting everything.
    """
    distinct_a, distinct_b = set(a), set(b)
    shared = distinct_a & distinct_b
    common = len(shared)
    if len(distinct_a) < len(a) and len(distinct_b) < len(b):
        counts_a, counts_b = Counter(a), Counter(b)
        repeated = [item for item, n in counts_a.items() if n > 1 and item in shared]
        common += sum(min(counts_a[item], counts_b[item]) - 1 for item in repeated)
    return common


def has_run(items: Sequence[Hashable], run: Sequence[Hashable]) -> bool:
    """Return whether `run` occurs in `items` without a gap; False if `run` is empty."""
    size = len(run)
    return size > 0 and any(items[i : i + size] == run for i in range(len(items) - size + 1))


def grams(tokens: Sequence[str], n: int) -> Sequence[Hashable]:
    """Return the n-grams of a list of tokens."""
    return tokens if n == 1 else list(zip(*(tokens[i:] for i in range(n)), strict=False))
