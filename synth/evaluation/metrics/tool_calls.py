"""Whether a system called the tools it should have called."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.core.errors import RecordError
from synth.core.records import ToolCall
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.evaluation.metrics.ranking import f1
from synth.evaluation.responses.passages import tool_calls

_NONE = Undefined("the row has no tool_calls")


@dataclass(frozen=True)
class ToolCallAccuracy(Metric):
    """The share of arguments that are right, over the calls in order; 0 for a call that is not the one expected."""

    name = "tool_call_accuracy"
    needs = "tool_calls"

    def measure(self, case: Case) -> Mapping[str, Value]:
        wanted = expected(case)
        if isinstance(wanted, Undefined):
            return {self.name: wanted}
        made = case.response.tool_calls or ()
        if not wanted:
            return {self.name: float(not made)}
        right = sum(_agreement(call, other) for call, other in zip(made, wanted, strict=False))
        return {self.name: right / max(len(made), len(wanted))}


@dataclass(frozen=True)
class ToolCallF1(Metric):
    """F1 of the calls that are right in name and all arguments, in whatever order."""

    name = "tool_call_f1"
    needs = "tool_calls"

    def measure(self, case: Case) -> Mapping[str, Value]:
        wanted = expected(case)
        if isinstance(wanted, Undefined):
            return {self.name: wanted}
        made = case.response.tool_calls or ()
        if not made or not wanted:
            return {self.name: float(not made and not wanted)}
        common = sum((Counter(map(_canonical, made)) & Counter(map(_canonical, wanted))).values())
        return {self.name: f1(common / len(made), common / len(wanted))}


def expected(case: Case) -> tuple[ToolCall, ...] | Undefined:
    """The calls that the row's `tool_calls` wants."""
    given = case.item.metadata.get("tool_calls")
    if given is None:
        return _NONE
    try:
        return tool_calls(given, "metadata.tool_calls", case.item.id)
    except RecordError as error:
        return Undefined(str(error))


def _agreement(made: ToolCall, wanted: ToolCall) -> float:
    """The share of equal arguments among all that either call has."""
    if made.name != wanted.name:
        return 0.0
    if not isinstance(made.arguments, Mapping) or not isinstance(wanted.arguments, Mapping):
        return float(_json(made.arguments) == _json(wanted.arguments))
    names = {*made.arguments, *wanted.arguments}
    missing = object()
    equal = sum(
        _json(made.arguments.get(name, missing)) == _json(wanted.arguments.get(name, missing)) for name in names
    )
    return equal / len(names) if names else 1.0


def _canonical(call: ToolCall) -> str:
    return _json([call.name, call.arguments])


def _json(value: Any) -> str:
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=repr)


def _plain(value: Any) -> Any:
    """JSON values in which 1 and 1.0 are the same, but true is not 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(one) for one in value]
    return value
