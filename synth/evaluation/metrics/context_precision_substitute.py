"""Stand-in for context_precision that needs no model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.context_precision_evidence import ContextPrecisionByEvidence


@dataclass(frozen=True)
class ContextPrecisionSubstitute(ContextPrecisionByEvidence):
    """For context_precision where no model is given: its formula, for contexts with half of a piece of evidence."""

    name = "context_precision~evidence"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False
