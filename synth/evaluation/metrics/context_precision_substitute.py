"""Substitute for context_precision that needs no chat model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.context_precision_evidence import ContextPrecisionByEvidence


@dataclass(frozen=True)
class ContextPrecisionSubstitute(ContextPrecisionByEvidence):
    """Substitute for context_precision: its formula; a context is relevant when it has half of a piece of evidence."""

    name = "context_precision~evidence"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False
