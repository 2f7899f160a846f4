"""Context recall by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ContextRecallById(Metric):
    """Share of the relevant ids that is among the contexts."""

    name = "context_recall_id"
    needs = "contexts"
    version = 2

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.relevance:
            return {self.name: Undefined(case.no_relevance)}
        if case.contexts and not any(case.id_of(context) for context in case.contexts):
            return {self.name: Undefined("the contexts have no ids")}
        hits = sum(grade > 0 for grade in case.grades(case.contexts))
        return {self.name: hits / len(case.relevance)}
