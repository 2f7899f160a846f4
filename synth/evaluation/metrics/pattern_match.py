"""Match by pattern: golden answers as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class PatternMatch(Metric):
    """1 when a regular expression of the row's `answer_pattern` (one or a list) is found in the answer."""

    name = "pattern_match"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        given = case.item.metadata.get("answer_pattern")
        if not given:
            return {self.name: Undefined("the row has no answer_pattern")}
        patterns = [given] if isinstance(given, str) else list(given)
        answer = case.folding.apply(case.answer)
        try:
            matched = any(re.search(pattern, answer, re.IGNORECASE) for pattern in patterns)
        except re.error as error:
            return {self.name: Undefined(f"the row's answer_pattern is no regular expression: {error}")}
        return {self.name: float(matched)}
