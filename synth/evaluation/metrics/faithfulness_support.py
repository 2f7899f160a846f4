"""Substitute for faithfulness that needs no chat model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.support import Support


@dataclass(frozen=True)
class FaithfulnessBySupport(Support):
    """Substitute for faithfulness: `support` of the answer's sentences by the contexts."""

    name = "faithfulness~support"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
