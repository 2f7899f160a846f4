"""Substitute for faithfulness that needs no chat model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.support import Support


@dataclass(frozen=True)
class FaithfulnessBySupport(Support):
    """Substitute for faithfulness: `support`, the share of the answer that the contexts have."""

    name = "faithfulness~support"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False
