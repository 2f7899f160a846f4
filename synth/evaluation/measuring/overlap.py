"""Items that two lists have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def overlap(given: Sequence[Hashable], wanted: Sequence[Hashable]) -> tuple[float, float]:
    """Precision and recall of the given items; both 1 when both lists are empty."""
    if not given or not wanted:
        equal = float(not given and not wanted)
        return equal, equal
    common = in_common(given, wanted)
    return common / len(given), common / len(wanted)


def in_common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The number of items that two lists share, each as often as both have it.

    Sets count distinct items; repetitions are counted only where both lists have some, which is several times faster
    than counting everything.
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
    """Whether `run`, which is not empty, occurs in `items` without a gap."""
    size = len(run)
    return size > 0 and any(items[i : i + size] == run for i in range(len(items) - size + 1))


def grams(tokens: Sequence[str], n: int) -> Sequence[Hashable]:
    """The n-grams of a list of tokens."""
    return tokens if n == 1 else list(zip(*(tokens[i:] for i in range(n)), strict=False))
