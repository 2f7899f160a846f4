"""Exchange of requests and replies with models: retries, deadlines, repair of replies, and shared answers."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NoReturn

from synth.core.errors import ConfigError, InputError, ModelError, NoRoom
from synth.core.store import Cache, Limited
from synth.models.chat import reply_cache
from synth.models.chat.base import (
    ChatModel,
    Closable,
    Completion,
    Discreet,
    Fault,
    Flushable,
    Message,
    RawReply,
    Request,
    RequestFailed,
)
from synth.models.chat.budget import Budget, prompt_tokens
from synth.models.chat.cached_only import KeptReplies
from synth.models.chat.circuit_breaker import Circuit, Streak
from synth.models.chat.concurrency import Slots
from synth.models.chat.leases import Leases, NoLeases, leased
from synth.models.chat.retries import Retries
from synth.models.chat.structured import BadReply, is_text, parse_reply, repair_message, without_reasoning
from synth.models.chat.usage import Accounts

_OTHERS_PATIENCE = 10
"""Maximum wait for another process that sends the same request, in multiples of the request time-out."""
_FRESH_TEMPERATURE = 0.3
_ROOM = 32_768
_ROOM_OF_TOKEN = 8
"""Bytes per token that a reply needs in the store, besides `_ROOM` bytes for its pages. SQLite writes both twice."""
_REFUSALS = frozenset({"content_filter", "refusal"})


@dataclass(slots=True)
class _Flight:
    """Request in progress: its task, and the number of callers that wait for its answer."""

    task: asyncio.Task[Completion]
    waiters: int = 0


@dataclass(slots=True)
class _Attempt:
    """State of a request between tries, with the tokens used so far.

    For the next try, `room` multiplies the token limit, `fresh` is added to the seed, and the messages `repair` are
    appended.
    """

    request: Request
    room: int = 1
    fresh: int = 0
    repair: tuple[Message, ...] = ()
    tries: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def wire(self) -> Request:
        """Return the request to send next.

        If `fresh` is not 0, seed and temperature are changed, so that the same fault is not repeated.
        """
        adjusted = replace(
            self.request,
            messages=(*self.request.messages, *self.repair),
            max_tokens=self.request.max_tokens * self.room,
        )
        if not self.fresh:
            return adjusted
        warm = max(self.request.temperature, _FRESH_TEMPERATURE)
        return replace(adjusted, seed=(self.request.seed or 0) + self.fresh, temperature=warm)

    def learn(self, fault: Fault, text: str) -> None:
        """Prepare the next try after `fault`. `text` is the reply that could not be used."""
        if fault.kind == "truncated":
            self.room *= 2
        elif fault.kind == "unparsable" and self.tries["unparsable"] == 1:
            self.repair = (Message("assistant", text), Message("user", repair_message(fault.reason)))
        elif fault.kind in ("unparsable", "empty"):
            self.repair = ()
            self.fresh += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """Settings for sending requests to models.

    `slots` limit concurrency and rate. A call takes at most `timeout_s` seconds. `budget` limits the spending. Requests
    that failed in an earlier run fail at once unless `resume` is set. With `leases`, a request waits while another
    process sends the same request. `sleep` waits between retries. If the replies to requests of one purpose stay
    unusable, the run ends; with `tolerant`, only the further requests of this purpose fail, and they are not sent.
    """

    slots: Slots = field(default_factory=lambda: Slots(8))
    timeout_s: float = 120.0
    retries: Retries = field(default_factory=Retries)
    budget: Budget = field(default_factory=Budget)
    resume: bool = False
    leases: Leases = field(default_factory=NoLeases)
    tolerant: bool = False
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def __post_init__(self) -> None:
        if self.timeout_s <= 0:
            raise ConfigError(f"the time-out must be over 0 seconds, was {self.timeout_s}")


class Exchange:
    """Sender of requests to their models. Use its coroutines on one event loop at a time."""

    def __init__(self, models: Mapping[str, ChatModel], cache: Cache, accounts: Accounts, sending: Sending) -> None:
        self._models = dict(models)
        self._cache = cache
        self._accounts = accounts
        self._sending = sending
        self._circuits = {model.identity: Circuit(model.identity) for model in self._models.values()}
        self._streaks: dict[tuple[str, str], Streak] = {}
        self._reserved = 0
        self._lost: NoRoom | None = None
        self._flights: dict[str, _Flight] = {}

    def key(self, request: Request) -> str:
        """Return the key of the stored answer to `request`.

        Raises ConfigError when the run has no model for the role of the request.
        """
        return reply_cache.reply_key(self._model(request).identity, request)

    def kept(self, key: str, request: Request) -> Completion | RequestFailed | None:
        """Return the stored answer or failure of a request, or None. Callable from any thread."""
        completion = reply_cache.find(self._cache, key, request)
        if completion is not None:
            self._accounts.cached(request.purpose, completion)
            return completion
        failure = None if self._sending.resume else reply_cache.quarantined(self._cache, key)
        if failure is not None:
            self._accounts.quarantined(request.purpose)
        return failure

    async def answer(self, key: str, request: Request, turn: int) -> Completion:
        """Return the answer to `request`, the request of job number `turn`. Equal concurrent requests are sent once.

        Raises RequestFailed after the last try, RunStopped when the run must end, and ModelError when no request can
        succeed.
        """
        flight = self._flights.get(key)
        shared = flight is not None
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.ensure_future(self._ask(key, request, turn)))
            flight.task.add_done_callback(lambda _: self._land(key, flight))
        flight.waiters += 1
        try:
            completion = await asyncio.shield(flight.task)
        except asyncio.CancelledError:
            flight.waiters -= 1
            if not flight.waiters:
                self._land(key, flight)
                flight.task.cancel()
            raise
        if shared:
            completion = replace(completion, cached=True)
            self._accounts.cached(request.purpose, completion)
        return completion

    def flush(self) -> None:
        """Tell the models that no more requests will come until some are answered."""
        for model in self._models.values():
            if isinstance(model, Flushable):
                model.flush()

    async def close(self) -> None:
        """Close the connections of every model."""
        for model in {id(model): model for model in self._models.values()}.values():
            if isinstance(model, Closable):
                await model.close()
        self._sending.leases.close()

    def _land(self, key: str, flight: _Flight | None) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    def _model(self, request: Request) -> ChatModel:
        try:
            return self._models[request.role]
        except KeyError:
            known = ", ".join(sorted(self._models)) or "none"
            raise ConfigError(
                f"{request.prompt} needs a model for the role {request.role!r}; the run has models for: {known}"
            ) from None

    async def _ask(self, key: str, request: Request, turn: int) -> Completion:
        """Return the answer to a request. If another process is sending the same request, wait for its answer first."""
        async with leased(self._sending.leases, key, self._sending.sleep, _OTHERS_PATIENCE * self._sending.timeout_s):
            kept = self.kept(key, request)
            if isinstance(kept, RequestFailed):
                raise kept
            return await self._sent(key, request, turn) if kept is None else kept

    async def _sent(self, key: str, request: Request, turn: int) -> Completion:
        model = self._model(request)
        circuit = self._circuits[model.identity]
        streak = self._streak(model, request.purpose)
        attempt = _Attempt(request)
        while True:
            text = ""
            try:
                raw = await self._try(model, circuit, streak, attempt.wire(), turn)
                attempt.prompt_tokens += raw.prompt_tokens
                attempt.completion_tokens += raw.completion_tokens
                text = without_reasoning(raw.text)
                completion = _read(raw, text, attempt)
            except Fault as fault:
                await self._prepare_retry(fault, circuit, streak, attempt, key, text)
            else:
                streak.usable()
                self._keep(key, completion)
                return completion

    @property
    def unusable(self) -> tuple[str, ...]:
        """Messages on the purposes whose replies stayed unusable."""
        return tuple(str(streak.error) for streak in self._streaks.values() if streak.error)

    def _check_streak(self, streak: Streak) -> None:
        if streak.error is None:
            return
        if self._sending.tolerant:
            raise RequestFailed("refused", str(streak.error))
        raise streak.error

    def _streak(self, model: ChatModel, purpose: str) -> Streak:
        """Return the record of failures in a row of a model for one purpose."""
        if isinstance(model, KeptReplies):
            # The refusals of this model cost nothing, so they must not stop the run.
            return Streak(model.identity, purpose, str)
        hide = model.hidden if isinstance(model, Discreet) else str
        return self._streaks.setdefault((model.identity, purpose), Streak(model.identity, purpose, hide))

    def _keep(self, key: str, completion: Completion) -> None:
        """Store a reply. If the store cannot take it, raise NoRoom, now and for every further request."""
        try:
            reply_cache.keep(self._cache, key, completion)
        except InputError as error:
            self._lost = NoRoom(f"a reply could not be stored, and no further request was sent: {error}")
            raise self._lost from error

    def _check_room(self) -> None:
        """Raise NoRoom if the store has no room for the replies of all calls in progress."""
        if self._lost is not None:
            raise self._lost
        if isinstance(self._cache, Limited):
            self._cache.check_room(self._reserved)

    async def _try(self, model: ChatModel, circuit: Circuit, streak: Streak, request: Request, turn: int) -> RawReply:
        """Make one call, in a slot and within the deadline. The store must have room for its reply."""
        raw = None
        room = _ROOM + _ROOM_OF_TOKEN * request.max_tokens
        async with self._sending.slots.place(turn, prompt_tokens(request) + request.max_tokens) as spent:
            hold = await self._sending.budget.reserve(model.identity, request)
            self._reserved += room
            try:
                circuit.check()
                self._check_streak(streak)
                if not isinstance(model, KeptReplies):
                    self._check_room()
                self._accounts.call(request.purpose)
                async with asyncio.timeout(self._sending.timeout_s):
                    raw = await model.reply(request, timeout=self._sending.timeout_s)
                spent.tokens = raw.prompt_tokens + raw.completion_tokens or spent.tokens
            except TimeoutError:
                raise Fault("timeout", f"no complete reply within {self._sending.timeout_s:g} s") from None
            except Fault as fault:
                if fault.kind == "throttled":
                    # A wait over the limit fails this request only, so it must not pause the others.
                    wait = fault.retry_after or 0.0
                    self._sending.slots.throttled(0.0 if self._sending.retries.is_too_long(wait) else wait)
                raise
            except ModelError as error:
                circuit.open(error)
                circuit.check()
                raise
            finally:
                self._reserved -= room
                self._sending.budget.settle(model.identity, hold, raw)
        self._sending.slots.answered(raw.pause_s)
        circuit.answered()
        self._accounts.reply(request.purpose, raw)
        return raw

    async def _prepare_retry(
        self, fault: Fault, circuit: Circuit, streak: Streak, attempt: _Attempt, key: str, text: str
    ) -> None:
        """Prepare the next try and wait before it. Raises RequestFailed if there is no next try."""
        attempt.tries[fault.kind] += 1
        tries = attempt.tries[fault.kind]
        limit = self._sending.retries.limit(fault.kind)
        too_long = self._sending.retries.is_too_long(fault.retry_after or 0.0)
        is_last = too_long or tries > circuit.limit(fault.kind, limit)
        if isinstance(fault, _Unusable) and (is_last or (tries > 1 and fault.kind != "truncated")):
            streak.unusable(key, fault.kind, fault.reason, text)
        if is_last:
            self._give_up(fault, circuit, key, tries, too_long)
        self._accounts.retry(fault.kind)
        attempt.learn(fault, text)
        if pause := self._sending.retries.pause(fault.kind, tries, key, fault.retry_after):
            await self._sending.sleep(pause)

    def _give_up(self, fault: Fault, circuit: Circuit, key: str, tries: int, too_long: bool) -> NoReturn:
        self._accounts.failure(fault.kind)
        after = f" (asked to wait {fault.retry_after:g} s)" if too_long else f" ({tries} tries)" if tries > 1 else ""
        failure = RequestFailed(fault.kind, fault.reason + after)
        if isinstance(fault, _Unusable):
            reply_cache.quarantine(self._cache, key, failure)
        else:
            circuit.given_up(fault, partial(reply_cache.quarantine, self._cache, key, failure))
        raise failure from None


class _Unusable(Fault):
    """Error for a reply that arrived but cannot be used. The connection is not at fault."""


def _read(raw: RawReply, text: str, attempt: _Attempt) -> Completion:
    """Return the completion of a raw reply. Raises _Unusable if the reply cannot be used.

    `text` is the text of the reply without reasoning.
    """
    if raw.finish_reason in _REFUSALS:
        raise _Unusable("refused", f"the model refused: {' '.join(text.split())[:200] or raw.finish_reason}")
    if raw.finish_reason == "malformed":
        raise _Unusable("refused", f"{text}; it is refused as malformed")
    if raw.finish_reason == "length":
        raise _Unusable("truncated", f"the reply was cut off at {attempt.request.max_tokens * attempt.room} tokens")
    if not text:
        raise _Unusable("empty", "the reply is empty")
    schema = attempt.request.schema
    if schema is None and not is_text(text):
        raise _Unusable("unparsable", "the reply contains a control character or half of a surrogate pair")
    try:
        data = None if schema is None else parse_reply(text, schema)
    except BadReply as error:
        raise _Unusable("unparsable", str(error)) from None
    return Completion(
        text=text, data=data, prompt_tokens=attempt.prompt_tokens, completion_tokens=attempt.completion_tokens
    )
