"""Concurrency and rate limits of calls to an endpoint."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from synth.core.checks import check_least
from synth.core.errors import ConfigError

MINUTE_S = 60.0
GRANTED_AGAIN_AFTER = 25
"""Number of replies without throttling after which the limit of concurrent calls grows by one.

A limit below half this number grows earlier, after twice as many replies as the limit.
"""

TAKEN_AWAY = 0.75
"""The limit of concurrent calls is multiplied by this number when the endpoint throttles a call."""

_CALM_S = 1.0


@dataclass(slots=True)
class Spent:
    """Usage of one call.

    `at` is its start in seconds of the clock. `tokens` are estimated at first, and counted when the reply arrives.
    """

    at: float
    tokens: int


@dataclass(slots=True)
class _Minute:
    """Usage of the last minute, compared with the user's limits. A limit of 0 means no limit."""

    requests: int
    tokens: int
    spent: deque[Spent] = field(default_factory=deque)

    def wait(self, now: float, tokens: int) -> float:
        """Return the seconds until a request of `tokens` fits into the limits.

        A request that alone exceeds the limit fits when no other request was made in the last minute.
        """
        while self.spent and self.spent[0].at <= now - MINUTE_S:
            self.spent.popleft()
        free = len(self.spent) - self.requests + 1 if self.requests else 0
        over = sum(exchange.tokens for exchange in self.spent) + tokens - self.tokens if self.tokens else 0
        until = now
        for exchange in self.spent:
            if free <= 0 and over <= 0:
                break
            free, over, until = free - 1, over - exchange.tokens, exchange.at + MINUTE_S
        return until - now

    def take(self, now: float, tokens: int) -> Spent:
        """Record a request that starts at `now`."""
        exchange = Spent(now, tokens)
        if self.requests or self.tokens:
            self.spent.append(exchange)
        return exchange


class Slots:
    """Slots for concurrent calls: at most `places`, with an adaptive limit. Use on one event loop at a time.

    When the endpoint throttles calls, the limit shrinks by a quarter. Replies raise the limit again step by step. A
    wait that the endpoint asks for applies to all requests. `requests_per_minute` and `tokens_per_minute` apply to any
    sixty seconds; 0 means no limit. Earlier jobs go first, so that a run that stops early has paid for few unused
    results.
    """

    def __init__(
        self,
        places: int,
        *,
        requests_per_minute: int = 0,
        tokens_per_minute: int = 0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        check_least("concurrency", places, 1)
        if requests_per_minute < 0 or tokens_per_minute < 0:
            raise ConfigError("the limits of requests and tokens per minute must be at least 0; 0 means no limit")
        self.places = places
        self._limit = float(places)
        self._taken = 0
        self._replies = 0
        self._clock = clock
        self._minute = _Minute(requests_per_minute, tokens_per_minute)
        self._closed_until = 0.0
        self._calm_from = 0.0
        self._waiting: list[tuple[int, int, int, asyncio.Future[Spent]]] = []
        self._arrivals = 0
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def limit(self) -> int:
        """Number of calls allowed at the same time now."""
        return max(1, int(self._limit))

    @asynccontextmanager
    async def place(self, turn: int, tokens: int = 0) -> AsyncIterator[Spent]:
        """Take a slot for the block. `turn` is the number of the job, and `tokens` an estimate.

        The block sets `tokens` of the yielded record to the real number.
        """
        spent = await self._take(turn, tokens)
        try:
            yield spent
        finally:
            self._taken -= 1
            self._grant()

    def throttled(self, wait: float) -> None:
        """Lower the limit after a throttled call, and pause all requests for `wait` seconds."""
        now = self._clock()
        self._replies = 0
        if now >= self._calm_from:
            # Several calls throttled within a second count once.
            self._limit = max(1.0, self._limit * TAKEN_AWAY)
            self._calm_from = now + _CALM_S
        if wait:
            self._closed_until = max(self._closed_until, now + wait)

    def answered(self, pause_s: float = 0.0) -> None:
        """Record a reply, and pause all requests for the `pause_s` seconds that the endpoint asks for."""
        self._replies += 1
        if self._replies >= min(GRANTED_AGAIN_AFTER, 2 * self.limit) and self._limit < self.places:
            self._limit, self._replies = min(self._limit + 1, float(self.places)), 0
        if pause_s:
            self._closed_until = max(self._closed_until, self._clock() + pause_s)
        self._grant()

    async def _take(self, turn: int, tokens: int) -> Spent:
        self._arrivals += 1
        slot: asyncio.Future[Spent] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (turn, self._arrivals, tokens, slot))
        self._grant()
        try:
            return await slot
        except asyncio.CancelledError:
            if slot.done() and not slot.cancelled():
                self._taken -= 1
                self._grant()
            raise

    def _grant(self) -> None:
        """Give free slots to the waiting jobs in order of their turns. If a rate limit is reached, try again later."""
        while self._waiting and self._taken < self.limit:
            *_, tokens, waiter = self._waiting[0]
            if waiter.done():
                heapq.heappop(self._waiting)
                continue
            now = self._clock()
            wait = max(self._closed_until - now, self._minute.wait(now, tokens))
            if wait > 0:
                self._look_again(wait, waiter.get_loop())
                return
            heapq.heappop(self._waiting)
            self._taken += 1
            waiter.set_result(self._minute.take(now, tokens))

    def _look_again(self, wait: float, loop: asyncio.AbstractEventLoop) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = loop.call_later(wait, self._grant)
