"""Context precision: how early, among the contexts, those that matter come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ContextPrecisionByEvidence(Metric):
    """Precision at each context that bears evidence, averaged over those found (Ragas' formula, no MAP).

    A context bears evidence when it covers at least `share` of a piece of it; where the contexts have
    neither places nor texts, when its id is relevant.
    """

    name = "context_precision_evidence"
    needs = "contexts"
    share: float = 0.5

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.contexts_cover
        if not isinstance(cover, str):
            matters = [cover.bears(rank, self.share) for rank in range(len(cover.spans))]
        elif case.relevance and any(case.id_of(one) for one in case.contexts):
            matters = [grade > 0 for grade in case.grades(case.contexts)]
        else:
            return {self.name: Undefined(cover)}
        return {self.name: averaged(matters)}


def averaged(matters: list[bool]) -> float:
    """The mean of the precision at the rank of each true one, over the true ones; 0 when there is none."""
    found, total = 0, 0.0
    for rank, one in enumerate(matters, start=1):
        if one:
            found += 1
            total += found / rank
    return total / found if found else 0.0
