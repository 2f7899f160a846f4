"""How many exchanges may be under way at once, how fast they may follow each other, and whose turn is next."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from synth.core.errors import ConfigError
from synth.models.chat.base import RateLimits

MINUTE_S = 60.0
GRANTED_AGAIN_AFTER = 25
"""Replies in a row after which one more exchange may be under way, up to all the places."""

TAKEN_AWAY = 0.75
"""What is left of the places when an endpoint says that it is asked too much."""

_CALM_S = 1.0


@dataclass(slots=True)
class Spent:
    """What one exchange takes of a minute: a request, and tokens, first guessed and then counted."""

    at: float
    tokens: int


@dataclass(slots=True)
class _Minute:
    """What was spent in the last minute, of the limits that the user named; 0 is no limit."""

    requests: int
    tokens: int
    spent: deque[Spent] = field(default_factory=deque)

    def wait(self, now: float, tokens: int) -> float:
        """Seconds until a request with so many tokens fits; one larger than a whole minute's fits an empty one."""
        while self.spent and self.spent[0].at <= now - MINUTE_S:
            self.spent.popleft()
        free = len(self.spent) - self.requests + 1 if self.requests else 0
        over = sum(one.tokens for one in self.spent) + tokens - self.tokens if self.tokens else 0
        until = now
        for one in self.spent:
            if free <= 0 and over <= 0:
                break
            free, over, until = free - 1, over - one.tokens, one.at + MINUTE_S
        return until - now

    def take(self, now: float, tokens: int) -> Spent:
        """Write down a request that begins now."""
        one = Spent(now, tokens)
        if self.requests or self.tokens:
            self.spent.append(one)
        return one


class Slots:
    """Places given to whoever has the lowest turn, at a pace that adapts; used on one event loop at a time.

    There are `places` at most. An endpoint that says it is asked too much takes a quarter of them away, and
    replies give them back one by one; one that names a wait is left alone for that long, by all.
    `requests_per_minute` and `tokens_per_minute`, 0 for no limit, hold over every sixty seconds. Earlier jobs
    go first, so that a run that stops early has paid for little that it does not need.
    """

    def __init__(
        self,
        places: int,
        *,
        requests_per_minute: int = 0,
        tokens_per_minute: int = 0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        if requests_per_minute < 0 or tokens_per_minute < 0:
            raise ConfigError("the limits of requests and tokens a minute must be at least 0; 0 is no limit")
        self._places = places
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
        """How many exchanges may be under way now."""
        return max(1, int(self._limit))

    @asynccontextmanager
    async def place(self, turn: int, tokens: int = 0) -> AsyncIterator[Spent]:
        """Hold a place for the length of the block; `turn` is the number of the job, `tokens` a guess.

        What the block is given takes the number of tokens that the exchange really took.
        """
        spent = await self._take(turn, tokens)
        try:
            yield spent
        finally:
            self._taken -= 1
            self._grant()

    def throttled(self, wait: float) -> None:
        """The endpoint said that it is asked too much, and how many seconds it wants to be left alone, if any."""
        now = self._clock()
        self._replies = 0
        if now >= self._calm_from:
            # Refusals of what was already under way are one refusal.
            self._limit = max(1.0, self._limit * TAKEN_AWAY)
            self._calm_from = now + _CALM_S
        if wait:
            self._closed_until = max(self._closed_until, now + wait)

    def answered(self, limits: RateLimits) -> None:
        """The endpoint gave a reply, with what it said of its limits."""
        self._replies += 1
        if self._replies >= min(GRANTED_AGAIN_AFTER, 2 * self.limit) and self._limit < self._places:
            self._limit, self._replies = min(self._limit + 1, float(self._places)), 0
        if limits.exhausted:
            self._closed_until = max(self._closed_until, self._clock() + limits.reset_s)
        self._grant()

    async def _take(self, turn: int, tokens: int) -> Spent:
        self._arrivals += 1
        mine: asyncio.Future[Spent] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (turn, self._arrivals, tokens, mine))
        self._grant()
        try:
            return await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._taken -= 1
                self._grant()
            raise

    def _grant(self) -> None:
        """Give the free places to those whose turn it is; where only time is missing, look again then."""
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
