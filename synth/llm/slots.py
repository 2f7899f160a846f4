"""How many exchanges may be under way at once, and whose turn is next."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Slots:
    """A fixed number of places, given to whoever has the lowest turn; used on one event loop.

    Earlier jobs go first, so that a run that stops early has paid for little that it does not need.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = 0

    @asynccontextmanager
    async def place(self, turn: int) -> AsyncIterator[None]:
        """Hold a place for the length of the block; `turn` is the number of the job."""
        await self._take(turn)
        try:
            yield
        finally:
            self._give()

    async def _take(self, turn: int) -> None:
        if self._free:
            self._free -= 1
            return
        self._arrivals += 1
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (turn, self._arrivals, mine))
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._give()
            raise

    def _give(self) -> None:
        while self._waiting:
            *_, waiter = heapq.heappop(self._waiting)
            if not waiter.done():
                waiter.set_result(None)
                return
        self._free += 1
