"""Agreement of the ranking of passages with the use that an answer makes of them (after RAG-E)."""

from __future__ import annotations

from collections.abc import Sequence

from synth.evaluation.measuring.ranking import ndcg


def top_ignored(uses: Sequence[float]) -> float:
    """1 when the answer does not use the first passage; `uses` has a number for each rank."""
    return float(not uses[0])


def misalignment(uses: Sequence[float]) -> float | None:
    """1 less the nDCG of the uses by rank: 0 when passages are used in the order of their rank; None without a use."""
    return 1 - ndcg(uses, len(uses), uses) if any(uses) else None
