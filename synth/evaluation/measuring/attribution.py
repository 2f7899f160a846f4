"""How the order in which passages were ranked and the use an answer made of them go together (after RAG-E)."""

from __future__ import annotations

from collections.abc import Sequence

from synth.evaluation.measuring.ranking import ndcg


def top_ignored(uses: Sequence[float]) -> float:
    """1 when the answer made no use of the passage that was ranked first; `uses` are by rank."""
    return float(not uses[0])


def misalignment(uses: Sequence[float]) -> float | None:
    """1 less the nDCG of the uses in the order of the ranking: 0 when what was ranked first was used most.

    None when no passage was used.
    """
    return 1 - ndcg(uses, len(uses), uses) if any(uses) else None
