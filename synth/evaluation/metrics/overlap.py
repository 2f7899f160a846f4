"""What two lists of tokens have in common, each token as often as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def overlap(said: Sequence[str], wanted: Sequence[str]) -> tuple[float, float]:
    """Precision and recall of the tokens of an answer; both 1 when neither has any."""
    if not said or not wanted:
        alike = float(not said and not wanted)
        return alike, alike
    common = in_common(said, wanted)
    return common / len(said), common / len(wanted)


def in_common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """How many items two lists share, each as often as both have it.

    Sets count what comes once; only where both lists repeat something are repetitions counted, which is several
    times faster than counting everything.
    """
    once_a, once_b = set(a), set(b)
    shared = once_a & once_b
    found = len(shared)
    if len(once_a) < len(a) and len(once_b) < len(b):
        counts_a, counts_b = Counter(a), Counter(b)
        often = [item for item, n in counts_a.items() if n > 1 and item in shared]
        found += sum(min(counts_a[item], counts_b[item]) - 1 for item in often)
    return found


def grams(tokens: Sequence[str], n: int) -> Sequence[Hashable]:
    """Every `n` tokens in a row."""
    return tokens if n == 1 else list(zip(*(tokens[i:] for i in range(n)), strict=False))
