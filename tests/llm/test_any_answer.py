"""Answers of an endpoint that no endpoint should give: each is a reply, or a fault with a reason."""

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import InputError, ModelError
from synth.models.chat.base import Fault, Message, Request
from synth.models.chat.batch import BatchModel
from synth.models.chat.headers import pause_of, retry_after
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.reply_cache import MemoryCache
from synth.models.encoders.endpoint import EndpointEncoder
from tests.generators import examples, mangled_json
from tests.llm.server import Body

SEEDS = st.integers(0, 2**32)
REQUEST = Request(messages=(Message("user", "Who?"),), purpose="test", prompt="test@0")
DETAILS = {"cached_tokens": 3}
COMPLETION = {
    "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": [{"text": "Ada"}], "refusal": None}}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": DETAILS},
}  # fmt: skip
VECTORS = {
    "data": [{"index": 0, "embedding": [0.1, 0.2]}, {"index": 1, "embedding": [1, 2]}],
    "usage": {"prompt_tokens": 4},
}


@given(SEEDS)
@examples(200)
def test_a_completion_is_read_or_is_a_fault(seed):
    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1")
    try:
        raw = model._read(mangled_json(json.dumps(COMPLETION), Random(seed)), "application/json", 0.0, REQUEST)
    except Fault:
        pass
    else:
        assert isinstance(raw.text, str)
        assert 0 <= raw.known_tokens <= raw.prompt_tokens < 10**9
        assert 0 <= raw.completion_tokens < 10**9


@given(SEEDS)
@examples(200)
def test_vectors_are_read_or_said_to_be_none(seed):
    encoder = EndpointEncoder("e", base_url="http://127.0.0.1:9/v1")
    try:
        vectors, tokens = encoder._read(mangled_json(json.dumps(VECTORS), Random(seed)), 2)
    except ModelError:
        pass
    else:
        assert vectors.shape[0] == 2
        assert np.isfinite(vectors).all()
        assert 0 <= tokens < 10**9


@pytest.mark.parametrize(
    "text",
    ["<html>", "null", "{}", '{"data": null}', "[" * 100_000, '{"data": [{"embedding": []}]}',
     '{"data": [{"embedding": [1e400]}]}', '{"data": [{"embedding": [[1], [2, 3]]}]}', '{"data": [{"embedding": ["a"]}]}'],
)  # fmt: skip
def test_an_endpoint_that_sends_no_vectors_is_told_in_one_line(serve, text):
    secret = "password-of-mine"
    server = serve(Body(text + secret if text == "<html>" else text, "application/json"))
    encoder = EndpointEncoder("e", base_url=server.url.replace("//", f"//me:{secret}@") + f"?key={secret}")
    with pytest.raises(ModelError, match=r"encoder e at .* returned no valid vectors") as raised:
        encoder.encode(["x"])
    assert "\n" not in str(raised.value)
    assert secret not in str(raised.value)


def answered(rows, cache=None):
    """The reply or the fault of a request, of which a batch has `rows`: a function of its name."""
    lines = []

    async def create(**sent):
        if "file" in sent:
            lines.extend(json.loads(line)["custom_id"] for line in sent["file"][1].decode().split("\n"))
        return SimpleNamespace(id="b")

    async def retrieve(batch):
        return SimpleNamespace(status="completed", output_file_id="f", error_file_id=None)

    async def content(file):
        return SimpleNamespace(text=rows(lines[0]), response=SimpleNamespace(extensions={}))

    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1")
    model.client = lambda: SimpleNamespace(
        files=SimpleNamespace(create=create, content=content),
        batches=SimpleNamespace(create=create, retrieve=retrieve),
    )
    batches = BatchModel(model, cache or MemoryCache())

    async def run():
        reply = asyncio.ensure_future(batches.reply(REQUEST, timeout=5))
        await asyncio.sleep(0)
        batches.flush()
        async with asyncio.timeout(20):
            return await reply

    return asyncio.run(run())


def row_of(name):
    return json.dumps({"custom_id": name, "response": {"status_code": 200, "body": COMPLETION}, "error": None})


@given(SEEDS)
@examples(20)
def test_an_answer_of_a_batch_is_read_or_is_a_fault(seed):
    with suppress(Fault, ModelError):
        assert isinstance(answered(lambda name: mangled_json(row_of(name), Random(seed))).text, str)


@pytest.mark.parametrize(
    "response",
    [{"status_code": None}, {"status_code": "²", "body": {}}, {"body": {}}, [1], {"status_code": float("inf")}],
)
def test_an_answer_of_a_batch_without_a_status_is_a_fault_and_nobody_waits(response):
    with pytest.raises(Fault, match="without a status or a body"):
        answered(lambda name: json.dumps({"custom_id": name, "response": response}))


def test_rows_of_a_batch_nested_too_deeply_are_a_fault():
    with pytest.raises(Fault, match="cannot be read: RecursionError"):
        answered(lambda name: "[" * 100_000)


def test_a_line_separator_in_an_answer_of_a_batch_ends_no_line():
    said = {"choices": [{"message": {"content": "one\u2028two"}}]}
    row = {"response": {"status_code": 200, "body": said}}
    assert answered(lambda name: json.dumps({"custom_id": name, **row}, ensure_ascii=False)).text == "one\u2028two"


def test_a_store_that_is_full_ends_the_wait_for_a_batch():
    class Full(MemoryCache):
        def put(self, kind, key, value):
            raise InputError("the store is full")

    with pytest.raises(InputError, match="full"):
        answered(row_of, Full())


HEADERS = st.one_of(
    st.text(max_size=30),
    st.floats().map(str),
    st.sampled_from(["9" * 400, "1e400", "²", "0s", "9" * 400 + "d", "Mon, 01 Jan 0001 00:00:00 +2359", "-1"]),
    st.datetimes().map(lambda when: when.strftime("%a, %d %b %Y %H:%M:%S -2359")),
    st.timedeltas(timedelta(0)).map(lambda wait: f"{wait.total_seconds()}s"),
)


@given(st.dictionaries(
    st.sampled_from(["retry-after", "retry-after-ms", "date", "x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"]),
    HEADERS | st.just("0"),
))  # fmt: skip
@examples(300)
def test_a_wait_is_a_number_of_seconds_or_none(headers):
    assert (wait := retry_after(headers)) is None or 0 <= wait < float("inf")
    assert 0 <= pause_of(headers) <= 120


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("content", [None, ""])
def test_a_reply_in_the_place_of_reasoning_is_read_where_json_is_asked_for(field, content):
    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1")
    text = json.dumps({"choices": [{"message": {"content": content, field: "{}"}}]})
    assert model._read(text, "", 0.0, replace(REQUEST, schema={"type": "object"})).text == "{}"
    assert model._read(text, "", 0.0, REQUEST).text == ""
