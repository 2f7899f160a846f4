"""Substitute for context_recall without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.context_recall_evidence import ContextRecallByEvidence


@dataclass(frozen=True)
class ContextRecallSubstitute(ContextRecallByEvidence):
    """Without a model, for context_recall: the share of the evidence's characters that the contexts cover."""

    name = "context_recall~evidence"
    default = False
