"""Places that adapt, limits a minute, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.models.chat.concurrency import GRANTED_AGAIN_AFTER, MINUTE_S, Slots, _Minute


class Clock:
    """Time as a test tells it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    return asyncio.run(work())  # type: ignore[arg-type]


def test_a_throttled_endpoint_is_asked_less_and_replies_give_the_places_back() -> None:
    clock = Clock()
    slots = Slots(32, clock=clock)
    slots.throttled(0.0)
    assert slots.limit == 24
    slots.throttled(0.0)
    assert slots.limit == 24, "refusals of what was under way are one"
    clock.now += 2
    slots.throttled(0.0)
    assert slots.limit == 18
    for _ in range(GRANTED_AGAIN_AFTER):
        slots.answered()
    assert slots.limit == 19
    for _ in range(GRANTED_AGAIN_AFTER * 20):
        slots.answered()
    assert slots.limit == 32


def test_one_place_is_always_left() -> None:
    clock = Clock()
    slots = Slots(4, clock=clock)
    for _ in range(50):
        clock.now += 2
        slots.throttled(0.0)
    assert slots.limit == 1


def test_while_the_endpoint_wants_to_be_left_alone_nobody_gets_a_place() -> None:
    clock = Clock()
    slots = Slots(4, clock=clock)

    async def work() -> list[str]:
        seen: list[str] = []

        async def one() -> None:
            async with slots.place(0):
                seen.append("in")

        slots.throttled(30.0)
        task = asyncio.ensure_future(one())
        for _ in range(5):
            await asyncio.sleep(0)
        seen.append("still closed")
        clock.now += 31
        slots.answered()
        await task
        return seen

    assert run(work) == ["still closed", "in"]


def test_an_endpoint_with_nothing_left_is_left_alone_until_its_reset() -> None:
    clock = Clock()
    slots = Slots(4, clock=clock)
    slots.answered(12.0)
    assert slots._closed_until == clock.now + 12


def test_places_go_to_the_lowest_turn() -> None:
    slots = Slots(1)

    async def work() -> list[int]:
        seen: list[int] = []

        async def one(turn: int) -> None:
            async with slots.place(turn):
                seen.append(turn)

        async with slots.place(0):
            tasks = [asyncio.ensure_future(one(turn)) for turn in (5, 3, 9, 1)]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        return seen

    assert run(work) == [1, 3, 5, 9]


@settings(max_examples=60)
@given(
    limits=st.tuples(st.integers(1, 5), st.integers(50, 200)),
    asked=st.lists(st.tuples(st.floats(0, 40), st.integers(1, 80)), max_size=30),
)
def test_no_sixty_seconds_have_more_than_the_limits(limits: tuple[int, int], asked: list[tuple[float, int]]) -> None:
    minute, now, log = _Minute(*limits), 0.0, []
    for later, tokens in asked:
        now += later
        now += minute.wait(now, tokens)
        assert minute.wait(now, tokens) <= 1e-6
        minute.take(now, tokens)
        log.append((now, tokens))
    for start, _ in log:
        inside = [tokens for at, tokens in log if start <= at < start + MINUTE_S - 1e-6]
        assert len(inside) <= limits[0]
        assert sum(inside) <= limits[1] or len(inside) == 1


def test_limits_below_nothing_are_refused() -> None:
    with pytest.raises(ConfigError, match="at least 0"):
        Slots(4, requests_per_minute=-1)
