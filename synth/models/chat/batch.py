"""Many requests as one batch: uploaded, waited for, downloaded; a run that is stopped finds its batches again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from synth.core.errors import ModelError
from synth.core.records import digest
from synth.core.store import Cache
from synth.models.chat.base import Fault, RawReply, Request
from synth.models.chat.openai import OpenAIModel

KIND = "batched"
_PATH: Literal["/v1/chat/completions"] = "/v1/chat/completions"
_LARGEST = 50_000
_SETTLING_S = 0.05
_FIRST_POLL_S, _LONGEST_POLL_S = 1.0, 60.0
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


@dataclass(slots=True)
class _Waiting:
    """A request that waits for a batch, or in one, and who wants its answer."""

    request: Request
    body: Mapping[str, Any]
    answer: asyncio.Future[RawReply]


class BatchModel:
    """A chat model asked through the batch API of its endpoint, half the price at most and slower by hours.

    Requests wait until `flush` sends them together. In which batch a request went is kept in `cache` the
    moment the endpoint has the batch, so that another run with the same request waits for that one. Replies
    are those of the model itself: `identity` is the same. Belongs on one event loop at a time.
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
        """The reply out of a batch. Raises Fault when it has none, ModelError when there is no batch API."""
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
        """Nothing more will be asked before something is answered: send what waits."""
        if self._new and self._timer is None:
            # What was asked a moment ago may still be on its way here.
            self._timer = asyncio.get_running_loop().call_later(_SETTLING_S, self._send)

    async def close(self) -> None:
        """Let go of the connections; batches go on at the endpoint."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._under_way.clear()
        self._timer = None
        await self._model.close()

    def _send(self) -> None:
        self._timer = None
        names = list(self._new)[:_LARGEST]
        if names:
            self._start(self._submit({name: self._new.pop(name) for name in names}))

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _submit(self, waiting: dict[str, _Waiting]) -> None:
        """Begin a batch of what waits, and follow it."""
        lines = (
            json.dumps({"custom_id": name, "method": "POST", "url": _PATH, "body": one.body}, ensure_ascii=False)
            for name, one in waiting.items()
        )
        try:
            client = self._model.client()
            file = await client.files.create(file=("requests.jsonl", "\n".join(lines).encode()), purpose="batch")
            made = await client.batches.create(
                input_file_id=file.id, endpoint=_PATH, completion_window="24h", metadata={"made_by": "synth"}
            )
        except _errors() as error:
            _fail(waiting.values(), self._trouble(error))
            return
        for name in waiting:
            self._cache.put(KIND, self._key(name, self._tried(name)), made.id.encode())
        self._under_way[made.id] = waiting
        await self._follow(made.id)

    async def _follow(self, batch: str) -> None:
        """Wait for a batch and hand out its answers."""
        try:
            rows = await self._answers(batch)
        except _errors() as error:
            _fail(self._under_way.pop(batch, {}).values(), self._trouble(error))
            return
        for name, one in self._under_way.pop(batch, {}).items():
            try:
                raw = self._read(rows.get(name), one)
            except (Fault, ModelError) as fault:
                self._cache.put(KIND, self._key(name, self._tried(name)) + " failed", b"")
                _fail([one], fault)
            else:
                if not one.answer.done():
                    one.answer.set_result(raw)

    async def _answers(self, batch: str) -> dict[str, Mapping[str, Any]]:
        """The rows of the output and of the errors of a batch that has ended, by the request's name."""
        client, pause = self._model.client(), _FIRST_POLL_S
        while (state := await client.batches.retrieve(batch)).status not in _ENDED:
            await self._sleep(pause)
            pause = min(2 * pause, _LONGEST_POLL_S)
        rows: dict[str, Mapping[str, Any]] = {}
        for file in filter(None, (state.output_file_id, state.error_file_id)):
            content = await client.files.content(file)
            for line in content.text.splitlines():
                if line.strip():
                    row = json.loads(line)
                    rows[row["custom_id"]] = row
        return rows

    def _read(self, row: Mapping[str, Any] | None, one: _Waiting) -> RawReply:
        if row is None:
            raise Fault("server", "the batch ended without an answer to this request")
        response = row.get("response") or {}
        if not response:
            raise Fault("server", f"the batch gave an error: {str(row.get('error'))[:200]}")
        return self._model.answered(int(response["status_code"]), response["body"], one.request)

    def _trouble(self, error: Exception) -> Fault | ModelError:
        import openai

        if isinstance(error, openai.NotFoundError):
            return ModelError(f"{self.identity} has no batch API; leave --batch out")
        if isinstance(error, openai.OpenAIError):
            return self._model.trouble(error)
        return Fault("server", f"the answers of a batch cannot be read: {type(error).__name__}")

    def _batch_of(self, name: str) -> str | None:
        """The batch that a request went into and that has not failed it."""
        kept = self._cache.get(KIND, self._key(name, self._tried(name)))
        return None if kept is None else kept.decode()

    def _tried(self, name: str) -> int:
        """How many batches have failed a request."""
        tried = 0
        while self._cache.get(KIND, self._key(name, tried) + " failed") is not None:
            tried += 1
        return tried

    def _key(self, name: str, attempt: int) -> str:
        return f"{name} {attempt}"


def _errors() -> tuple[type[Exception], ...]:
    """What talking to a batch API, and reading what it says, may raise."""
    import openai

    return (openai.OpenAIError, ValueError, LookupError, TypeError, AttributeError)


def _fail(waiting: Iterable[_Waiting], fault: Fault | ModelError) -> None:
    for one in waiting:
        if not one.answer.done():
            one.answer.set_exception(fault)
