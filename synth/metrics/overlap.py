"""What two lists of tokens have in common, each token as often as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def overlap(said: Sequence[str], wanted: Sequence[str]) -> tuple[float, float]:
    """Precision and recall of the tokens of an answer; both 1 when neither has any."""
    if not said or not wanted:
        alike = float(not said and not wanted)
        return alike, alike
    common = sum((Counter(said) & Counter(wanted)).values())
    return common / len(said), common / len(wanted)
