"""Agreement between the ranking of passages and the use that an answer makes of them (after RAG-E)."""

from __future__ import annotations

from collections.abc import Sequence

from synth.evaluation.measuring.ranking import ndcg


def top_ignored(uses: Sequence[float]) -> float:
    """Return 1 if the answer does not use the first passage; `uses` contains one number per rank."""
    return float(not uses[0])


def misalignment(uses: Sequence[float]) -> float | None:
    """Return 1 minus the nDCG of the uses by rank; None if no passage is used.

    It is 0 if passages are used in the order of their rank.
    """
    return 1 - ndcg(uses, len(uses), uses) if any(uses) else None
