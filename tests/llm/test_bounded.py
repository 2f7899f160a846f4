"""Replies without end: a body is unpacked up to a limit, refused above it, and not paid for twice."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import openai
import pytest

from synth.models.chat import bounded
from synth.models.chat.driver import Driver
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.reply_cache import MemoryCache
from synth.models.encoders.endpoint import EndpointEncoder

from .parts import run_one

httpx = import_module(openai.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])
MOST = bounded.MOST_BYTES
COMPLETION = json.dumps({"choices": [{"message": {"content": '{"answer": "a"}'}}]}).encode()


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


class Endless(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that goes on as long as somebody reads it."""

    def __init__(self, *parts: bytes) -> None:
        self.parts, self.read = parts, 0

    def __iter__(self) -> Iterator[bytes]:
        yield from self.parts
        while True:
            self.read += 65536
            yield b" " * 65536

    async def __aiter__(self):
        for part in self:
            yield part


def reply(data: bytes, coding: str = "", status: int = 200, stream: Endless | None = None) -> Any:
    headers = {"content-type": "application/json", **({"content-encoding": coding} if coding else {})}
    return httpx.Response(status, headers=headers, stream=stream or httpx.ByteStream(data))


def got(response: Any) -> Any:
    hooks = {"response": [bounded.read]}
    with httpx.Client(transport=httpx.MockTransport(lambda _: response), event_hooks=hooks) as client:
        return client.get("http://host/")


@pytest.mark.parametrize(
    ("data", "coding"),
    [
        (COMPLETION, ""),
        (COMPLETION, "identity"),
        (gzip.compress(COMPLETION), "gzip"),
        (gzip.compress(COMPLETION), "x-gzip"),
        (zlib.compress(COMPLETION), "deflate"),
        (raw_deflate(COMPLETION), "deflate"),
        (b"", "gzip"),
    ],
    ids=["plain", "identity", "gzip", "x-gzip", "deflate", "raw", "empty"],
)
def test_a_reply_of_a_usual_size_is_unpacked(data: bytes, coding: str) -> None:
    response = got(reply(data, coding))
    assert response.content == (COMPLETION if data else b"")
    assert not bounded.refused(response)


@pytest.mark.parametrize("status", [200, 400, 503])
@pytest.mark.parametrize(
    ("data", "coding"),
    [
        (b" " * (MOST + 1), ""),
        (gzip.compress(b" " * (30 * MOST)), "gzip"),
        (zlib.compress(b" " * (30 * MOST)), "deflate"),
        (raw_deflate(b" " * (30 * MOST)), "deflate"),
        (gzip.compress(gzip.compress(b"")), "gzip, gzip"),
        (b"x", "br"),
    ],
    ids=["plain", "gzip", "deflate", "raw", "twice", "unasked"],
)
def test_a_reply_without_end_is_refused_in_little_memory(data: bytes, coding: str, status: int) -> None:
    tracemalloc.start()
    response = got(reply(data, coding, status))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert bounded.refused(response)
    assert "error" in response.json()
    assert most < 4 * MOST


def test_a_stream_that_never_ends_is_left() -> None:
    stream = Endless()
    assert "more than 8 MB" in bounded.refused(got(reply(b"", stream=stream)))
    assert stream.read <= MOST + 65536


@pytest.mark.parametrize("data", [b"no gzip", gzip.compress(COMPLETION)[:-20]], ids=["other", "cut"])
def test_a_damaged_reply_is_a_fault(data: bytes) -> None:
    with pytest.raises(httpx.DecodingError):
        got(reply(data, "gzip"))


def test_a_reply_over_the_limit_is_paid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    cache = MemoryCache()

    def answer(_: Any) -> Any:
        calls.append(1)
        return reply(gzip.compress(b" " * (2 * MOST)), "gzip")

    monkeypatch.setattr("synth.models.chat.openai.transport_of", lambda _: {"transport": httpx.MockTransport(answer)})
    for _ in range(2):
        driver = Driver({"author": OpenAIModel("m", base_url="http://host/v1")}, cache)
        outcome = run_one(driver)
        assert outcome.failure is not None
        assert "more than 8 MB" in outcome.failure.reason
    assert len(calls) == 1


def test_an_encoder_with_a_reply_over_the_limit_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def answer(_: Any) -> Any:
        calls.append(1)
        return reply(gzip.compress(b" " * (2 * MOST)), "gzip")

    monkeypatch.setattr(
        "synth.models.encoders.endpoint.transport_of", lambda _: {"transport": httpx.MockTransport(answer)}
    )
    with pytest.raises(Exception, match="more than 8 MB"):
        EndpointEncoder("e", base_url="http://host/v1").encode(["a"])
    assert len(calls) == 1
