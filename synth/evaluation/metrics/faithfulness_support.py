"""Substitute for faithfulness without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.support import Support


@dataclass(frozen=True)
class FaithfulnessBySupport(Support):
    """Without a model, for faithfulness: `support`, the answer's words, names and numbers in the contexts."""

    name = "faithfulness~support"
    default = False
