"""Context precision by evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.checks import check_share
from synth.evaluation.measuring.ranking import average_precision_of
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ContextPrecisionByEvidence(Metric):
    """Precision at each context that holds evidence, averaged over those contexts (Ragas' formula, not MAP).

    A context holds evidence when it covers at least `share` of a piece of it. Where the contexts have neither
    offsets nor texts, it holds evidence when its id is relevant.
    """

    name = "context_precision_evidence"
    needs = "contexts"
    version = 2
    share: float = 0.5

    def __post_init__(self) -> None:
        check_share(f"share of {self.name}", self.share)

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.contexts_cover
        if not isinstance(cover, str):
            helpful = [cover.bears(rank, self.share) for rank in range(len(cover.spans))]
        elif case.relevance and any(case.id_of(passage) for passage in case.contexts):
            helpful = [grade > 0 for grade in case.grades(case.contexts)]
        else:
            return {self.name: Undefined(cover)}
        return {self.name: average_precision_of(helpful)}
