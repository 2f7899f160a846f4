"""Chinese questions in other words than their passage, in simplified script."""

from __future__ import annotations

from collections.abc import Sequence

from synth.grammar.rewording.base import Reworded


def reworded(question: str, told: Sequence[str], keep: Sequence[str]) -> Reworded | None:
    """`question` in other words; None, as there are none yet."""
    return None
