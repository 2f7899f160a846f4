"""Context recall by evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ContextRecallByEvidence(Metric):
    """Share of the evidence's characters that the contexts cover together."""

    name = "context_recall_evidence"
    needs = "contexts"
    version = 2

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.contexts_cover
        if isinstance(cover, str):
            return {self.name: Undefined(cover)}
        return {self.name: cover.covered() / cover.total}
