"""Tool calls compared in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.tool_calls import agreement, expected
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ToolCallAccuracy(Metric):
    """Share of arguments that are right, over the calls in order; 0 for a call of another tool."""

    name = "tool_call_accuracy"
    needs = "tool_calls"

    def measure(self, case: Case) -> Mapping[str, Value]:
        expected_calls = expected(case)
        if isinstance(expected_calls, Undefined):
            return {self.name: expected_calls}
        calls = case.response.tool_calls or ()
        if not expected_calls:
            return {self.name: float(not calls)}
        right = sum(agreement(call, expected_call) for call, expected_call in zip(calls, expected_calls, strict=False))
        return {self.name: right / max(len(calls), len(expected_calls))}
