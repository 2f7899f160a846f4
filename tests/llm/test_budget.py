"""The budget of a run: no request is sent that could exceed it, and finished work is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.errors import BudgetSpent, ConfigError
from synth.models.chat.base import RawReply, Request
from synth.models.chat.budget import Budget, Limits
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.prices import Price, price_of
from synth.models.chat.reply_cache import MemoryCache
from synth.models.chat.scripted import ScriptedModel

from .parts import jobs, request, results

DEAR = Price(input=1_000_000.0, output=2_000_000.0, cached_input=500_000.0, source="test")


def test_a_run_stops_at_its_calls_and_goes_on_with_more() -> None:
    cache, model = MemoryCache(), ScriptedModel(lambda asked: {"answer": asked.messages[-1].content})
    names = [f"{number}" for number in range(9)]
    driver = Driver({"author": model}, cache, Sending(slots=Slots(2), budget=Budget(Limits(calls=4))))
    with pytest.raises(BudgetSpent, match="--max-calls 4"):
        results(driver.run(jobs(*names)))
    assert len(model.calls) == 4
    again = Driver({"author": model}, cache)
    assert results(again.run(jobs(*names))) == [(name, name) for name in names]
    assert len(model.calls) == 9
    assert again.accounts.total("cached") == 4


def test_what_was_under_way_is_handed_out_before_the_end() -> None:
    model = ScriptedModel(lambda asked: {"answer": asked.messages[-1].content})
    driver = Driver({"author": model}, sending=Sending(slots=Slots(1), budget=Budget(Limits(calls=3))))
    outcomes = driver.run(jobs("a", "b", "c", "d", "e"))
    assert [next(outcomes).value for _ in range(3)] == ["a", "b", "c"]
    with pytest.raises(BudgetSpent):
        next(outcomes)


class Brief:
    """A model that takes a twentieth of what is reserved for its replies."""

    identity = "m"

    def __init__(self) -> None:
        self.spent = self.most = self.running = 0

    async def reply(self, asked: Request, *, timeout: float) -> RawReply:
        self.running += 1
        self.most = max(self.most, self.running)
        for _ in range(20):
            await asyncio.sleep(0)
        self.running -= 1
        raw = RawReply(text='{"answer": "a"}', prompt_tokens=20, completion_tokens=asked.max_tokens // 20)
        self.spent += raw.prompt_tokens + raw.completion_tokens
        return raw


@pytest.mark.parametrize(("limits", "limit"), [(Limits(tokens=20_000), 20_000), (Limits(cost=35_000.0), 35_000)])
@pytest.mark.parametrize("concurrency", [1, 8, 32])
def test_a_request_waits_for_reservations_before_the_budget_is_spent(
    limits: Limits, limit: int, concurrency: int
) -> None:
    model, budget = Brief(), Budget(limits, {"m": DEAR})
    driver = Driver({"author": model}, sending=Sending(slots=Slots(concurrency), budget=budget))
    with pytest.raises(BudgetSpent):
        results(driver.run(jobs(*map(str, range(2000)), max_tokens=800)))
    spent = model.spent if limits.tokens else budget.cost
    assert limit * 0.95 <= spent <= limit
    assert model.most >= min(concurrency, 8)


def test_a_request_that_can_never_fit_does_not_wait() -> None:
    async def ask() -> None:
        budget = Budget(Limits(tokens=1000))
        budget.hold("m", request("x", max_tokens=100))
        await budget.reserve("m", request("x", max_tokens=1000))

    with pytest.raises(BudgetSpent):
        asyncio.run(ask())


@settings(max_examples=60)
@given(
    limit=st.integers(1, 400),
    used=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), max_size=25),
)
def test_tokens_never_go_over(limit: int, used: list[tuple[int, int]]) -> None:
    budget, spent = Budget(Limits(tokens=limit)), 0
    for read, written in used:
        try:
            hold = budget.hold("m", request("x", max_tokens=20))
        except BudgetSpent:
            continue
        budget.settle("m", hold, RawReply(text="", prompt_tokens=read, completion_tokens=written))
        spent += read + written
    assert spent <= limit


def test_money_is_counted_with_what_the_endpoint_knew_already() -> None:
    budget = Budget(prices={"m": DEAR})
    hold = budget.hold("m", request("x", max_tokens=1))
    budget.settle("m", hold, RawReply(text="", prompt_tokens=10, completion_tokens=3, known_tokens=4))
    assert budget.cost == 6 * 1 + 4 * 0.5 + 3 * 2


def test_money_cannot_be_limited_where_a_price_is_not_known() -> None:
    with pytest.raises(ConfigError, match=r"price of m at x is not known.*--prices"):
        Budget(Limits(cost=1.0), {"m at x": None})
    with pytest.raises(BudgetSpent, match="--max-cost"):
        Budget(Limits(cost=0.5), {"m": DEAR}).hold("m", request("x"))


def test_prices_come_from_the_file_then_from_this_machine_then_from_the_list(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('["my-model"]\ninput = 2\noutput = 4.5\n', encoding="utf-8")
    mine = price_of("my-model", "http://127.0.0.1:1/v1", own)
    assert mine == Price(input=2.0, output=4.5, cached_input=2.0, source="your prices")
    assert mine.of(1_000_000, 1_000_000) == 6.5
    local = price_of("qwen", "http://localhost:11434/v1", own)
    assert local is not None
    assert (local.of(10, 10), local.source) == (0.0, "this machine")
    listed = price_of("gpt-4o-mini", "https://api.openai.com/v1")
    assert listed is not None
    assert 0 < listed.cached_input < listed.input < listed.output
    assert price_of("nobody-knows-this-model", "https://api.openai.com/v1") is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = ", "not TOML"),
        ('["m"]\ninput = 1\n', r"field 'm.output' must be a number"),
        ('["m"]\ninput = -1\noutput = 1\n', "of at least 0, was -1"),
        ('["m"]\ninput = 1\noutput = true\n', "was True"),
    ],
)
def test_a_bad_file_of_prices_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=complaint):
        price_of("m", "https://host/v1", path)
    with pytest.raises(ConfigError, match="cannot read the prices"):
        price_of("m", "https://host/v1", tmp_path / "none.toml")
