"""Tool calls as they are compared: expected ones of a row, and equality by name and arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from synth.core.errors import RecordError
from synth.core.records import ToolCall
from synth.evaluation.metrics.base import Case, Undefined
from synth.evaluation.responses.passages import tool_calls


def expected(case: Case) -> tuple[ToolCall, ...] | Undefined:
    """The calls that the row's `tool_calls` asks for."""
    calls = case.item.metadata.get("tool_calls")
    if calls is None:
        return Undefined("the row has no tool_calls")
    try:
        return tool_calls(calls, "metadata.tool_calls", case.item.id)
    except RecordError as error:
        return Undefined(str(error))


def equal_arguments(call: ToolCall, expected_call: ToolCall) -> float:
    """The share of equal arguments among all arguments of both calls."""
    if call.name != expected_call.name:
        return 0.0
    if not isinstance(call.arguments, Mapping) or not isinstance(expected_call.arguments, Mapping):
        return float(_json(call.arguments) == _json(expected_call.arguments))
    names = {*call.arguments, *expected_call.arguments}
    missing = object()
    equal = sum(
        _json(call.arguments.get(name, missing)) == _json(expected_call.arguments.get(name, missing)) for name in names
    )
    return equal / len(names) if names else 1.0


def canonical(call: ToolCall) -> str:
    """A call as text that is equal for equal calls."""
    return _json([call.name, call.arguments])


def _json(value: Any) -> str:
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=repr)


def _plain(value: Any) -> Any:
    """JSON values in which 1 and 1.0 are the same, but true is not 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
