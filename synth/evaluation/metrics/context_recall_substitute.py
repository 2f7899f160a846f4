"""Substitute for context_recall that needs no chat model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.context_recall_evidence import ContextRecallByEvidence


@dataclass(frozen=True)
class ContextRecallSubstitute(ContextRecallByEvidence):
    """Substitute for context_recall: share of the evidence's characters that the contexts cover."""

    name = "context_recall~evidence"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False
