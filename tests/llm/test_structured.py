from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.models.chat.structured import BadReply, check_schema, parse_reply, violations, without_reasoning

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "minLength": 1},
        "answers": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "kind": {"type": "string", "enum": ["fact", "number"]},
        "note": {"type": ["string", "null"]},
    },
    "required": ["question", "answers"],
    "additionalProperties": False,
}
GOOD = {"question": "港口何時開放?", "answers": ["一九八七年", "1987"]}
WRITTEN = json.dumps(GOOD, ensure_ascii=False)


_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"))


@pytest.mark.parametrize(
    "text",
    [
        WRITTEN,
        json.dumps(GOOD, indent=2),
        f"```json\n{WRITTEN}\n```",
        f"Here is the JSON you asked for:\n\n{WRITTEN}\n\nTell me if you need more.",
        f'<think>Let me draft {{"question": "x", "answers": ["y"]}}</think>\n{WRITTEN}',
        f"reasoning without a start </think> {WRITTEN}",
        f"<thinking>{{</thinking>```\n{WRITTEN}\n```",
        f"这是结果(见 [1] 和 {{占位}}):{WRITTEN}。",
        f'Draft: {{"question": "old", "answers": ["old"]}} Final: {WRITTEN}',
        f"[{WRITTEN}]",
    ],
)
def test_the_json_is_found_in_what_models_write_around_it(text: str) -> None:
    assert parse_reply(text, SCHEMA) == GOOD


def test_a_tag_of_reasoning_inside_a_reply_is_text() -> None:
    reply = {"question": "What does </think> end?", "answers": ["<think>"]}
    assert parse_reply(json.dumps(reply), SCHEMA) == reply


def test_line_breaks_inside_strings_are_borne() -> None:
    assert parse_reply('{"question": "one\ntwo", "answers": ["x"]}', SCHEMA)["question"] == "one\ntwo"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I cannot do that.", "no complete JSON object"),
        ("", "no complete JSON object"),
        (WRITTEN[:-3], "no complete JSON object"),
        ("<think>" + WRITTEN, "no complete JSON object"),
        ('{"question": NaN, "answers": []}', "no complete JSON object"),
        ("{" * 20_000, "no complete JSON object"),
        ('{"a":' * 3_000, "no complete JSON object"),
        ('{"question": "q"}', "answers: Field required"),
        ('{"question": "", "answers": ["a"]}', "question: String should have at least 1 character"),
        ('{"question": 3, "answers": ["a"]}', "question: Input should be a valid string"),
        ('{"question": "q", "answers": []}', "answers: List should have at least 1 item after validation, not 0"),
        (
            '{"question": "q", "answers": ["1","2","3","4"]}',
            "answers: List should have at most 3 items after validation, not 4",
        ),
        ('{"question": "q", "answers": ["a", null]}', "answers[1]: Input should be a valid string"),
        ('{"question": "q", "answers": ["a"], "score": 9}', "score: Input should be less than or equal to 5"),
        ('{"question": "q", "answers": ["a"], "score": true}', "score: Input should be a valid number"),
        ('{"question": "q", "answers": ["a"], "score": 1.5}', "score: Input should be a multiple of 1"),
        ('{"question": "q", "answers": ["a"], "kind": "x"}', "kind: Input should be 'fact' or 'number'"),
        ('{"question": "q", "answers": ["a"], "extra": 1}', "extra: Extra inputs are not permitted"),
        ('{"question": "\\ud800", "answers": ["a"]}', "half of a surrogate pair"),
        ('{"question": "a\\u0000b", "answers": ["a"]}', "must not hold a control character"),
        ('{"question": "a\\u001bb", "answers": ["a"]}', "must not hold a control character"),
    ],
)
def test_what_is_wrong_is_said(text: str, problem: str) -> None:
    with pytest.raises(BadReply) as raised:
        parse_reply(text, SCHEMA)
    assert problem in str(raised.value)


def test_a_number_must_be_finite() -> None:
    assert violations(json.loads("1e999"), {"type": "number"}) == ["The reply: Input should be a finite number"]
    assert violations(10**400, {"type": "number"}) == ["The reply: Input should be a valid number"]


@given(_TEXT, st.lists(_TEXT.filter(bool), min_size=1, max_size=3))
@example("\nu\xa0", ["\tau_0", "\nu\u3000$"])
def test_any_valid_reply_comes_back_whole(question: str, answers: list[str]) -> None:
    reply = {"question": "Q" + question, "answers": answers}
    assert parse_reply(f"Sure:\n```json\n{json.dumps(reply)}\n```", SCHEMA) == reply


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        value = parse_reply(text, SCHEMA)
    except BadReply:
        return
    assert not violations(value, SCHEMA)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>a</think>b", "b"),
        ("\n<THINK>\na\n</THINK>\n\nb\n", "b"),
        ("<think>never ends", ""),
        ("plain", "plain"),
        ("a</think>b", "b"),
    ],
)
def test_reasoning_is_left_out(text: str, rest: str) -> None:
    assert without_reasoning(text) == rest


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "object", "oneOf": []}, "uses oneOf"),
        ({"type": "object", "properties": {"a": {"type": "strin"}}}, "the schema.a has the unknown type strin"),
        ({"type": "object", "properties": {"a": {"minLength": 1}}}, "the schema.a has no type"),
        ({"type": "array", "items": {"pattern": "x"}}, r"the schema\[\] uses pattern"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "must be true or false"),
    ],
)
def test_a_schema_that_cannot_be_checked_is_refused(schema: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        check_schema(schema)


def test_the_schema_of_these_tests_can_be_checked() -> None:
    check_schema(SCHEMA)


@pytest.mark.parametrize("text", ["{" * 450_000, '{"a":' * 90_000, "[" * 450_000, '{"' * 225_000])
def test_brackets_that_begin_no_value_are_not_tried_for_ever(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    decode = json.JSONDecoder.raw_decode
    monkeypatch.setattr(json.JSONDecoder, "raw_decode", lambda *given: tried.append(1) or decode(*given))
    with pytest.raises(BadReply, match="no complete JSON"):
        parse_reply(text, {"type": "object"})
    assert len(tried) <= 500


TYPED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"}, "x": {"type": "number"}, "b": {"type": "boolean"},
        "l": {"type": "array", "items": {"type": "integer"}}, "s": {"type": "string"},
    },
    "additionalProperties": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"n": "4"}', {"n": 4}),
        ('{"n": "-4 ", "x": "0.5"}', {"n": -4, "x": 0.5}),
        ('{"b": "true"}', {"b": True}),
        ('{"b": "False"}', {"b": False}),
        ('{"l": 3}', {"l": [3]}),
        ('{"l": "3"}', {"l": [3]}),
        ('{"l": ["1", 2,],}', {"l": [1, 2]}),
        ('{"s": "4", "n": "1"}', {"s": "4", "n": 1}),
        ('{"s": "a,]", "n": 1,\n}', {"s": "a,]", "n": 1}),
    ],
)
def test_a_value_of_another_type_is_taken_where_it_means_one_thing(text: str, meant: Any) -> None:
    assert parse_reply(text, TYPED) == meant


@pytest.mark.parametrize(
    "text", ['{"n": "four"}', '{"n": "4.5"}', '{"n": "1,000"}', '{"n": "04"}', '{"b": "yes"}', '{"b": 1}', '{"s": 4}']
)
def test_a_value_that_may_mean_another_thing_is_not_taken(text: str) -> None:
    with pytest.raises(BadReply):
        parse_reply(text, TYPED)
