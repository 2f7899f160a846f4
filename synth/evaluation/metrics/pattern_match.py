"""Match by pattern: golden answers as regular expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.patterns import is_found
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class PatternMatch(Metric):
    """1 when a regular expression of the row's `answer_pattern` (one or a list) matches in the answer, ignoring case.

    The answer is tried as it was given and folded. Expressions are those of RE2 (`core.patterns`), so that no pattern
    can hang a run.
    """

    name = "pattern_match"
    needs = "answer"
    version = 3

    def measure(self, case: Case) -> Mapping[str, Value]:
        return {self.name: _match(case)}


def _match(case: Case) -> Value:
    answer_pattern = case.item.metadata.get("answer_pattern")
    if not answer_pattern:
        return Undefined("the row has no answer_pattern")
    patterns: Any = [answer_pattern] if isinstance(answer_pattern, str) else answer_pattern
    if not isinstance(patterns, list | tuple) or not all(isinstance(pattern, str) for pattern in patterns):
        return Undefined("the row's answer_pattern must be a string or a list of strings")
    if not all(map(str.strip, patterns)):
        return Undefined("the row's answer_pattern has an empty pattern, which would match every answer")
    answers = {case.answer, case.folding.apply(case.answer)}
    try:
        matches = [is_found(f"(?i){pattern}", answer) for pattern in patterns for answer in answers]
    except ValueError as error:
        return Undefined(f"the row's answer_pattern is not a valid RE2 expression: {error}")
    return float(any(matches))
