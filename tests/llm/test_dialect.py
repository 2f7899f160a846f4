from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from synth.models.chat.dialect import Dialect

from .parts import SCHEMA, request


@pytest.mark.parametrize(
    ("status", "message", "change"),
    [
        (400, "This response_format type is unavailable now", {"reply_format": "json_object"}),
        (422, "response_format: extra fields not permitted", {"reply_format": "json_object"}),
        (501, "not implemented", {"reply_format": "json_object"}),
        (500, "failed to parse grammar", {"reply_format": "json_object"}),
        (400, "Invalid schema for response_format 'test'", {"reply_format": "json_object"}),
        (400, "Use 'max_completion_tokens' instead", {"limit_name": "max_completion_tokens"}),
        (400, "'temperature' does not support 0", {"temperature": False}),
        (422, "unknown field: seed", {"seed": False}),
        (400, "This model's maximum context length is 4096 tokens", None),
        (400, "The response was filtered by content management policy", None),
        (500, "internal error", None),
        (429, "response_format", None),
    ],
)
def test_what_a_refusal_teaches(status: int, message: str, change: dict[str, Any] | None) -> None:
    learnt = Dialect().after(status, message, request())
    assert learnt == (None if change is None else replace(Dialect(), **change))


def test_a_dialect_that_has_nothing_left_to_drop_learns_nothing() -> None:
    plainest = Dialect("plain", "max_completion_tokens", temperature=False, seed=False)
    for message in ("response_format", "max_completion_tokens", "temperature", "seed", "bad request"):
        assert plainest.after(400, message, request()) is None


def test_a_request_for_free_text_says_nothing_of_formats() -> None:
    free = request(schema=None, seed=None)
    assert Dialect().parameters(free).keys() == {"messages", "max_tokens", "temperature"}
    assert Dialect().after(400, "response_format", free) is None


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (SCHEMA, True),
        ({**SCHEMA, "additionalProperties": True}, False),
        ({**SCHEMA, "required": []}, False),
        ({**SCHEMA, "properties": {"answer": {"type": "array", "items": {"type": "object"}}}}, False),
    ],
)
def test_strict_mode_is_asked_for_only_where_a_schema_leaves_nothing_open(schema: dict[str, Any], strict: bool) -> None:
    body = Dialect().parameters(request(schema=schema, purpose="write: simple/问题"))
    assert body["response_format"]["json_schema"]["strict"] is strict
    assert body["response_format"]["json_schema"]["name"] == "write_simple_"


def test_a_schema_the_server_does_not_enforce_is_spelled_out() -> None:
    for dialect in (Dialect("json_object"), Dialect("plain")):
        system, user = dialect.parameters(request())["messages"]
        assert system["content"].startswith("Answer.\n\nReply with one JSON value")
        assert '"required": ["answer"]' in system["content"]
        assert user == {"role": "user", "content": "hello"}
    bare = replace(request(), messages=request().messages[1:])
    assert [m["role"] for m in Dialect("plain").parameters(bare)["messages"]] == ["system", "user"]
