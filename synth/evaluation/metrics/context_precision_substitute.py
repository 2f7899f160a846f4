"""Substitute for context_precision without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.context_precision_evidence import ContextPrecisionByEvidence


@dataclass(frozen=True)
class ContextPrecisionSubstitute(ContextPrecisionByEvidence):
    """Without a model, for context_precision: the same formula, of contexts that cover half of a piece of evidence."""

    name = "context_precision~evidence"
    default = False
