"""Tool calls compared in any order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.tool_calls import canonical, expected
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ToolCallF1(Metric):
    """F1 of the calls that are right in name and all arguments, in any order."""

    name = "tool_call_f1"
    needs = "tool_calls"

    def measure(self, case: Case) -> Mapping[str, Value]:
        expected_calls = expected(case)
        if isinstance(expected_calls, Undefined):
            return {self.name: expected_calls}
        calls = case.response.tool_calls or ()
        actual, required = ([canonical(call) for call in group] for group in (calls, expected_calls))
        return {self.name: f1(*overlap(actual, required))}
