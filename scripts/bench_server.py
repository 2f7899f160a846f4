"""An OpenAI-compatible server on loopback for tests and benchmarks: it answers, counts, and misbehaves as told.

    python scripts/bench_server.py --port 8090 --latency 0.2 --jitter 0.1 --slots 32
    python scripts/bench_server.py --fault server=0.05 --fault hang=0.01
    python scripts/bench_server.py --fault all=0.2

It prints its address. `GET /stats` tells what it saw, `POST /stats` forgets it. Served are chat completions,
embeddings, files and batches under `/v1`. Author and judge err at the rates of `bench_rates`, with --plain never.
What goes wrong on the way is drawn by the request and by how often it came, not by when it came, so that runs can
be compared. Kinds of fault: throttled (429), throttled_after (429 with Retry-After), server (500), reset, hang, drip
(bytes that never end), truncated, malformed (no JSON), empty, schema (JSON of another form), refusal; "all" has each
of them in turn.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import sys
from collections import Counter, deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_author import Author
from bench_batches import Batches
from bench_rates import HONEST, SURE

FAULTS = (
    "throttled", "throttled_after", "server", "reset", "hang", "drip", "truncated", "malformed", "empty", "schema",
    "refusal",
)  # fmt: skip
_LINE_FAULTS = frozenset(FAULTS[:6])
_DIMENSION = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """Behaviour of the server.

    `latency` is that of every reply in seconds, `jitter` what is added at random at most; `slots` how many are
    worked on at once, others wait; `per_minute` how many requests are let through in a minute, others get 429;
    `faults` the share of requests that go wrong, by kind; `formats` the best reply format that is understood;
    `think` puts a reasoning preamble and a code fence around replies; `batch_s` is how long a batch takes.
    """

    latency: float = 0.0
    jitter: float = 0.0
    slots: int = 1000
    per_minute: int = 0
    faults: Mapping[str, float] = field(default_factory=dict)
    formats: str = "json_schema"
    think: bool = False
    batch_s: float = 0.5
    seed: int = 0


@dataclass(slots=True)
class Stats:
    """What the server saw. A request is answered twice when its very body was answered well before."""

    requests: int = 0
    answered: int = 0
    answered_twice: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    embeddings: int = 0
    embedded_texts: int = 0
    batches: int = 0
    batched_requests: int = 0
    asked_too_soon: int = 0
    first_s: float = 0.0
    last_s: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)

    def shown(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


class Server:
    """The server's state; `handle` serves one connection."""

    def __init__(self, author: Author, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.stats = Stats()
        self._author = author
        self._reader = ThreadPoolExecutor(1)
        self._written: dict[str, asyncio.Future[str]] = {}
        self._came: Counter[str] = Counter()
        self._answered: set[str] = set()
        self._recent: deque[float] = deque()
        self._slots = asyncio.Semaphore(behaviour.slots)
        self._batches = Batches(self._batched, behaviour.batch_s)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while (request := await _read(reader)) is not None:
                if not await self._serve(*request, reader, writer):
                    break
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            writer.close()

    async def _serve(
        self, method: str, path: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; whether the connection goes on."""
        path = path.partition("?")[0]
        if path == "/stats":
            if method == "POST":
                self.forget()
            return await _send(writer, 200, self.stats.shown())
        if path.endswith("/chat/completions"):
            return await self._chat(body, reader, writer)
        if path.endswith("/embeddings"):
            return await self._embed(json.loads(body), writer)
        if (made := self._batches.serve(method, path, body)) is not None:
            self.stats.batches, self.stats.batched_requests, self.stats.asked_too_soon = self._batches.counts
            return await _send(writer, *made)
        return await _send(writer, 404, _error(f"no such path: {path}"))

    def forget(self) -> None:
        """Begin to count anew."""
        self.stats = Stats(in_flight=self.stats.in_flight)
        self._answered.clear()
        self._came.clear()

    async def _chat(self, raw: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        self.stats.requests += 1
        self.stats.first_s = self.stats.first_s or asyncio.get_running_loop().time()
        self.stats.in_flight += 1
        self.stats.most_in_flight = max(self.stats.most_in_flight, self.stats.in_flight)
        try:
            if self._too_many():
                headers = {"x-ratelimit-limit-requests": str(self.behaviour.per_minute), "retry-after": "1"}
                self.stats.faults["per_minute"] += 1
                return await _send(writer, 429, _error("too many requests a minute"), headers)
            return await self._answer(raw, reader, writer)
        finally:
            self.stats.in_flight -= 1
            self.stats.last_s = asyncio.get_running_loop().time()

    async def _answer(self, raw: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        body = json.loads(raw)
        asked = body.get("response_format", {}).get("type", "plain")
        known = ("plain", "json_object", "json_schema")
        if known.index(asked) > known.index(self.behaviour.formats):
            return await _send(writer, 400, _error(f"response_format {asked} is not supported"))
        name = hashlib.sha256(raw).hexdigest()
        self._came[name] += 1
        draw = random.Random(f"{self.behaviour.seed}:{name}:{self._came[name]}")
        fault = self._fault(draw)
        async with self._slots:
            await asyncio.sleep(self.behaviour.latency + self.behaviour.jitter * draw.random())
            if fault:
                self.stats.faults[fault] += 1
            if fault in _LINE_FAULTS:
                return await _misbehave(fault, reader, writer)
            text, finish = _spoilt(fault, await self.write(body))
            reply = completion(body, text, finish, think=self.behaviour.think and not fault)
            going_on = await _send(writer, 200, reply)
        self._count(name, reply, good=not fault)
        return going_on

    def _count(self, name: str, reply: Mapping[str, Any], *, good: bool) -> None:
        stats, usage = self.stats, reply["usage"]
        stats.prompt_tokens += usage["prompt_tokens"]
        stats.completion_tokens += usage["completion_tokens"]
        if good:
            stats.answered += 1
            stats.answered_twice += name in self._answered
            self._answered.add(name)

    async def write(self, body: Mapping[str, Any]) -> str:
        """The author's reply; to equal requests of any model the same, worked out once and beside the serving."""
        name = json.dumps([body["messages"], body.get("response_format")], sort_keys=True)
        if name not in self._written:
            loop = asyncio.get_running_loop()
            self._written[name] = asyncio.ensure_future(loop.run_in_executor(self._reader, self._author.reply, body))
        return await self._written[name]

    def _fault(self, draw: random.Random) -> str:
        place = draw.random()
        for kind, share in self.behaviour.faults.items():
            if place < share:
                return draw.choice(FAULTS) if kind == "all" else kind
            place -= share
        return ""

    def _too_many(self) -> bool:
        if not self.behaviour.per_minute:
            return False
        now = asyncio.get_running_loop().time()
        while self._recent and self._recent[0] < now - 60:
            self._recent.popleft()
        if len(self._recent) >= self.behaviour.per_minute:
            return True
        self._recent.append(now)
        return False

    async def _embed(self, body: Mapping[str, Any], writer: asyncio.StreamWriter) -> bool:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.stats.embeddings += 1
        self.stats.embedded_texts += len(texts)
        await asyncio.sleep(self.behaviour.latency)
        data = [{"object": "embedding", "index": n, "embedding": vector(text)} for n, text in enumerate(texts)]
        usage = {"prompt_tokens": sum(map(tokens, texts)), "total_tokens": sum(map(tokens, texts))}
        return await _send(writer, 200, {"object": "list", "model": body["model"], "data": data, "usage": usage})

    async def _batched(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """The status and the body of the answer to one request of a batch."""
        raw = json.dumps(body, sort_keys=True).encode()
        name = hashlib.sha256(raw).hexdigest()
        self._came[name] += 1
        fault = self._fault(random.Random(f"{self.behaviour.seed}:{name}:{self._came[name]}"))
        if fault in _LINE_FAULTS:
            self.stats.faults[fault] += 1
            return 500, _error("it went wrong")
        text, finish = _spoilt(fault, await self.write(body))
        reply = completion(body, text, finish, think=self.behaviour.think and not fault)
        self._count(name, reply, good=not fault)
        return 200, reply


def completion(body: Mapping[str, Any], text: str, finish: str, *, think: bool) -> dict[str, Any]:
    """A chat completion. Tokens are one for four characters, and one for each Chinese one."""
    said = f"<think>Let me see. {{}}</think>\n```json\n{text}\n```" if think else text
    prompt, written = sum(tokens(one["content"]) for one in body["messages"]), tokens(said)
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": said, "refusal": None}}
        ],
        "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
    }


def tokens(text: str) -> int:
    """About as many tokens as a model would count."""
    wide = sum("\u2e80" <= char <= "\uffef" for char in text)
    return wide + (len(text) - wide + 3) // 4


def vector(text: str) -> list[float]:
    """A vector of a text by its pairs of characters, of length 1."""
    counts = [0.0] * _DIMENSION
    for pair in pairwise(text):
        counts[int(hashlib.md5("".join(pair).encode()).hexdigest(), 16) % _DIMENSION] += 1.0
    length = sum(one * one for one in counts) ** 0.5 or 1.0
    return [one / length for one in counts]


def _spoilt(fault: str, text: str) -> tuple[str, str]:
    """The reply as a fault leaves it, and how it ended."""
    spoilt = {
        "truncated": (text[: len(text) // 2], "length"),
        "malformed": ("Sure! Here is what I think about it: it is, well, complicated.", "stop"),
        "empty": ("", "stop"),
        "schema": ('{"reply": {"is": "of another form"}}', "stop"),
        "refusal": ("I cannot help with that.", "content_filter"),
    }
    return spoilt.get(fault, (text, "stop"))


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "error", "code": None}}


async def _misbehave(kind: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    if kind.startswith("throttled"):
        wait = {"retry-after": "0.3"} if kind == "throttled_after" else {}
        return await _send(writer, 429, _error("slow down"), wait)
    if kind == "server":
        return await _send(writer, 500, _error("it went wrong"))
    if kind == "reset":
        writer.transport.abort()
        return False
    if kind == "drip":
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n")
    while not (writer.is_closing() or reader.at_eof()):
        await asyncio.sleep(0.05)
        if kind == "drip":
            writer.write(b" ")
            await writer.drain()
    return False


async def _read(reader: asyncio.StreamReader) -> tuple[str, str, bytes] | None:
    """One HTTP request: method, path, body; None at the end of the connection."""
    line = await reader.readline()
    if not line.strip():
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    length = 0
    while (header := (await reader.readline()).decode("latin-1").strip()) != "":
        name, _, value = header.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    return method, path, await reader.readexactly(length)


async def _send(
    writer: asyncio.StreamWriter, status: int, value: Any, headers: Mapping[str, str] | None = None
) -> bool:
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    told = {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})}
    head = "".join(f"{name}: {text}\r\n" for name, text in told.items())
    writer.write(f"HTTP/1.1 {status} x\r\n{head}\r\n".encode() + data)
    await writer.drain()
    return True


async def serve(author: Author, behaviour: Behaviour, port: int) -> None:
    """Serve until stopped; prints the base URL first."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    server = await asyncio.start_server(Server(author, behaviour).handle, "127.0.0.1", port, limit=2**24)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    async with server:
        await server.serve_forever()


def _fault(text: str) -> tuple[str, float]:
    kind, _, share = text.partition("=")
    if kind not in (*FAULTS, "all"):
        raise argparse.ArgumentTypeError(f"'{kind}' is no fault; known: all, {', '.join(FAULTS)}")
    return kind, float(share or 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0 takes one that is free")
    parser.add_argument("--latency", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--jitter", type=float, default=0.0, metavar="SECONDS", help="more latency, at random")
    parser.add_argument("--slots", type=int, default=1000, help="requests worked on at once; others wait")
    parser.add_argument("--per-minute", type=int, default=0, help="requests a minute; others get 429")
    parser.add_argument("--fault", type=_fault, action="append", default=[], metavar="KIND=SHARE")
    parser.add_argument("--formats", choices=("plain", "json_object", "json_schema"), default="json_schema")
    parser.add_argument("--think", action="store_true", help="reasoning preambles and code fences")
    parser.add_argument("--plain", action="store_true", help="an author and a judge that never err")
    parser.add_argument("--obey", action="store_true", help="do what passages say")
    parser.add_argument("--batch-seconds", type=float, default=0.5, help="how long a batch takes")
    parser.add_argument("--seed", type=int, default=0, help="of faults and jitter")
    options = parser.parse_args()
    behaviour = Behaviour(
        latency=options.latency,
        jitter=options.jitter,
        slots=options.slots,
        per_minute=options.per_minute,
        faults=dict(options.fault),
        formats=options.formats,
        think=options.think,
        batch_s=options.batch_seconds,
        seed=options.seed,
    )
    author = Author(SURE if options.plain else HONEST, obey=options.obey)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(author, behaviour, options.port))


if __name__ == "__main__":
    main()
