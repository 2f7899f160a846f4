"""Requests through the batch API of an endpoint. A run that was stopped resumes its batches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from synth.core.errors import ModelError, SynthError
from synth.core.records import digest
from synth.core.store import Cache
from synth.models.chat import bounded
from synth.models.chat.base import Fault, RawReply, Request
from synth.models.chat.openai import OpenAIModel

KIND = "batched"
_PATH: Literal["/v1/chat/completions"] = "/v1/chat/completions"
_MAX_REQUESTS = 50_000
_MOST_OF_A_REQUEST, _MOST_OF_A_TOKEN = 4096, 16
"""Maximum size of one answer in a batch file: fixed bytes, and bytes per token."""

_SETTLING_S = 0.05
_FIRST_POLL_S, _LONGEST_POLL_S = 1.0, 60.0
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


@dataclass(slots=True)
class _Waiting:
    """Request that waits to be sent or answered, and the future of its answer."""

    request: Request
    body: Mapping[str, Any]
    answer: asyncio.Future[RawReply]


class BatchModel:
    """Chat model behind the batch API of its endpoint: at most half the price, and hours slower.

    Requests wait until `flush` sends them together. For each request of an accepted batch, `cache` stores the id of the
    batch. Another run with the same request then waits for that batch. `identity` equals that of `model`, so both share
    stored replies. Use on one event loop at a time.
    """

    def __init__(
        self, model: OpenAIModel, cache: Cache, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        self.identity = model.identity
        self._model = model
        self._cache = cache
        self._sleep = sleep
        self._new: dict[str, _Waiting] = {}
        self._under_way: dict[str, dict[str, _Waiting]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """Return the reply from a batch.

        Raises Fault if the batch has no reply, and ModelError if the endpoint has no batch API.
        """
        body = self._model.body(request)
        name = digest(self.identity, body)[:40]
        waiting = _Waiting(request, body, asyncio.get_running_loop().create_future())
        batch = self._batch_of(name)
        if batch is None:
            self._new[name] = waiting
        else:
            known = batch in self._under_way
            self._under_way.setdefault(batch, {})[name] = waiting
            if not known:
                self._start(self._follow(batch))
        try:
            return await waiting.answer
        finally:
            self._new.pop(name, None)

    def flush(self) -> None:
        """Send the waiting requests as a batch. Call it when no more requests will come before some are answered."""
        if self._new and self._timer is None:
            # Requests of a moment ago may not have arrived here yet.
            self._timer = asyncio.get_running_loop().call_later(_SETTLING_S, self._send)

    async def close(self) -> None:
        """Close the connections. Batches continue at the endpoint."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._under_way.clear()
        self._timer = None
        await self._model.close()

    def _send(self) -> None:
        self._timer = None
        names = list(self._new)[:_MAX_REQUESTS]
        if names:
            self._start(self._submit({name: self._new.pop(name) for name in names}))

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _submit(self, waiting: dict[str, _Waiting]) -> None:
        """Send the waiting requests as a batch, and wait for its answers."""
        lines = (
            json.dumps({"custom_id": name, "method": "POST", "url": _PATH, "body": entry.body}, ensure_ascii=False)
            for name, entry in waiting.items()
        )
        try:
            client = self._model.client()
            file = await client.files.create(file=("requests.jsonl", "\n".join(lines).encode()), purpose="batch")
            batch = await client.batches.create(
                input_file_id=file.id, endpoint=_PATH, completion_window="24h", metadata={"made_by": "synth"}
            )
            for name in waiting:
                self._cache.put(KIND, self._key(name, self._tried(name)), batch.id.encode())
        except _errors() as error:
            _fail(waiting.values(), self._trouble(error))
            return
        self._under_way[batch.id] = waiting
        await self._follow(batch.id)

    async def _follow(self, batch: str) -> None:
        """Wait for a batch and pass its answers to the waiting requests."""
        try:
            most = sum(
                _MOST_OF_A_REQUEST + _MOST_OF_A_TOKEN * waiting.request.max_tokens
                for waiting in self._under_way[batch].values()
            )
            with bounded.allowing(bounded.MOST_BYTES + most):
                rows = await self._answers(batch)
        except _errors() as error:
            _fail(self._under_way.pop(batch, {}).values(), self._trouble(error))
            return
        ended = self._under_way.pop(batch, {})
        for name, waiting in ended.items():
            try:
                raw = self._read(rows.get(name), waiting)
            except (Fault, ModelError) as fault:
                _fail([waiting], fault)
                try:
                    self._cache.put(KIND, self._key(name, self._tried(name)) + " failed", b"")
                except SynthError as error:
                    _fail(ended.values(), error)
            else:
                if not waiting.answer.done():
                    waiting.answer.set_result(raw)

    async def _answers(self, batch: str) -> dict[str, Mapping[str, Any]]:
        """Wait for the end of a batch. Return the rows of its output and error files by the name of the request."""
        client, pause = self._model.client(), _FIRST_POLL_S
        while (state := await client.batches.retrieve(batch)).status not in _ENDED:
            await self._sleep(pause)
            pause = min(2 * pause, _LONGEST_POLL_S)
        rows: dict[str, Mapping[str, Any]] = {}
        for file in filter(None, (state.output_file_id, state.error_file_id)):
            content = await client.files.content(file)
            if refusal := bounded.refused(content.response):
                raise ModelError(f"the answers of a batch of {self.identity} cannot be read: {refusal}")
            for line in content.text.split("\n"):
                if line.strip():
                    row = json.loads(line)
                    rows[str(row["custom_id"])] = row
        return rows

    def _read(self, row: Mapping[str, Any] | None, waiting: _Waiting) -> RawReply:
        if row is None:
            raise Fault("server", "the batch ended without an answer to this request")
        response = row.get("response") or {}
        if not response:
            raise Fault("server", f"the batch reported an error: {str(row.get('error'))[:200]}")
        try:
            status, body = int(response["status_code"]), response["body"]
        except (ValueError, LookupError, TypeError, OverflowError):
            raise Fault("server", "the batch contains an answer without a status or a body") from None
        return self._model.answered(status, body, waiting.request)

    def _trouble(self, error: Exception) -> Fault | SynthError:
        import openai

        if isinstance(error, SynthError):
            return error
        if isinstance(error, openai.NotFoundError):
            return ModelError(f"{self.identity} has no batch API; leave --batch out")
        if isinstance(error, openai.OpenAIError):
            return self._model.trouble(error)
        return Fault("server", f"the answers of a batch cannot be read: {type(error).__name__}")

    def _batch_of(self, name: str) -> str | None:
        """Return the id of the batch that contains a request.

        None if no batch contains it, or if it failed in every batch so far.
        """
        batch = self._cache.get(KIND, self._key(name, self._tried(name)))
        return None if batch is None else batch.decode()

    def _tried(self, name: str) -> int:
        """Return the number of batches in which a request has failed."""
        tried = 0
        while self._cache.get(KIND, self._key(name, tried) + " failed") is not None:
            tried += 1
        return tried

    def _key(self, name: str, attempt: int) -> str:
        return f"{name} {attempt}"


def _errors() -> tuple[type[Exception], ...]:
    """Return the exception classes that the batch API, reading its files, and the store may raise."""
    import openai

    return (SynthError, openai.OpenAIError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


def _fail(waiting: Iterable[_Waiting], fault: Fault | SynthError) -> None:
    for entry in waiting:
        if not entry.answer.done():
            entry.answer.set_exception(fault)
