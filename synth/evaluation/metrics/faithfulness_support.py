"""Stand-in for faithfulness that needs no model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.support import Support


@dataclass(frozen=True)
class FaithfulnessBySupport(Support):
    """For faithfulness where no model is given: `support` of the answer's sentences by the contexts."""

    name = "faithfulness~support"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
