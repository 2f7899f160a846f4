"""Match by pattern: golden answers as regular expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.patterns import is_found
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class PatternMatch(Metric):
    """1 when a regular expression of the row's `answer_pattern` (one or a list) is found in the answer, in any case.

    Expressions are those of RE2 (`core.patterns`), so that no set can make a run endless.
    """

    name = "pattern_match"
    needs = "answer"
    version = 2

    def measure(self, case: Case) -> Mapping[str, Value]:
        given = case.item.metadata.get("answer_pattern")
        if not given:
            return {self.name: Undefined("the row has no answer_pattern")}
        patterns = [given] if isinstance(given, str) else list(given)
        answer = case.folding.apply(case.answer)
        try:
            matched = any(is_found(f"(?i){pattern}", answer) for pattern in patterns)
        except ValueError as error:
            return {self.name: Undefined(f"the row's answer_pattern is no regular expression: {error}")}
        return {self.name: float(matched)}
