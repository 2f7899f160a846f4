"""Budget of a run. A request that could exceed the budget is not sent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.core.errors import BudgetSpent, ConfigError
from synth.models.chat.base import RawReply, Request
from synth.models.chat.prices import Price
from synth.text.tokens import count_tokens

_TURN = 8
"""Tokens of a message in addition to its text."""

_OVERHEAD = 40
"""Tokens that a server may add for its template and the grammar of the schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a run: cost, calls, and tokens of prompts and replies. 0 means no limit."""

    cost: float = 0.0
    calls: int = 0
    tokens: int = 0

    def __post_init__(self) -> None:
        if self.cost < 0 or self.calls < 0 or self.tokens < 0:
            raise ConfigError("the limits of cost, calls and tokens must be at least 0; 0 means no limit")


@dataclass(frozen=True, slots=True)
class Hold:
    """Reservation for a call in progress: its maximum tokens and maximum cost."""

    tokens: int
    cost: float


class Budget:
    """Spending of a run and its limits, with reservations for calls in progress. Not thread-safe.

    `prices` maps the identity of a model to its price. Raises ConfigError when the cost is limited and a price is
    unknown.
    """

    def __init__(self, limits: Limits | None = None, prices: Mapping[str, Price | None] | None = None) -> None:
        self._limits = limits or Limits()
        self._prices = dict(prices or {})
        self._calls = 0
        self._tokens = 0
        self._cost = 0.0
        self._running: list[Hold] = []
        self._waiting: list[asyncio.Future[None]] = []
        if self._limits.cost and (unknown := sorted(name for name, price in self._prices.items() if price is None)):
            raise ConfigError(
                f"the cost cannot be limited: the price of {', '.join(unknown)} is not known; "
                "write it into a file and name the file with --prices, or set --max-calls or --max-tokens"
            )

    @property
    def cost(self) -> float:
        """Cost of models with a known price, including the reservations for calls in progress."""
        return self._cost

    async def reserve(self, identity: str, request: Request) -> Hold:
        """Reserve the maximum tokens and cost of a call. If they exceed a limit now, wait for calls in progress to end.

        Most calls use less than they reserved, so the request may fit later. Raises BudgetSpent when it would not fit
        even if the calls in progress used nothing.
        """
        while True:
            try:
                return self.hold(identity, request)
            except BudgetSpent:
                self._check(self._most(identity, request), self._running)
            settled = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled

    def hold(self, identity: str, request: Request) -> Hold:
        """Reserve the maximum tokens and cost of a call. Raises BudgetSpent when they exceed a limit now."""
        hold = self._most(identity, request)
        self._check(hold)
        self._running.append(hold)
        self._calls += 1
        self._tokens += hold.tokens
        self._cost += hold.cost
        return hold

    def settle(self, identity: str, hold: Hold, raw: RawReply | None) -> None:
        """Replace the reservation of a call by the usage of its reply. If `raw` is None, only remove it."""
        price = self._prices.get(identity)
        self._running.remove(hold)
        self._tokens -= hold.tokens
        self._cost -= hold.cost
        waiting, self._waiting = self._waiting, []
        for settled in waiting:
            if not settled.done():
                settled.set_result(None)
        if raw is None:
            return
        self._tokens += raw.prompt_tokens + raw.completion_tokens
        self._cost += price.of(raw.prompt_tokens, raw.completion_tokens, raw.known_tokens) if price else 0.0

    def _most(self, identity: str, request: Request) -> Hold:
        prompt = prompt_tokens(request) + _OVERHEAD
        price = self._prices.get(identity)
        return Hold(prompt + request.max_tokens, price.of(prompt, request.max_tokens) if price else 0.0)

    def _check(self, hold: Hold, returned: Sequence[Hold] = ()) -> None:
        """Raise BudgetSpent if `hold` exceeds a limit, even after the reservations in `returned` are given back."""
        tokens = self._tokens - sum(other.tokens for other in returned)
        cost = self._cost - sum(other.cost for other in returned)
        for kind, spent, more, limit, shown in (
            ("calls", self._calls, 1, self._limits.calls, f"{self._limits.calls}"),
            ("tokens", tokens, hold.tokens, self._limits.tokens, f"{self._limits.tokens}"),
            ("cost", cost, hold.cost, self._limits.cost, f"{self._limits.cost:.4f}"),
        ):
            if limit and spent + more > limit:
                raise BudgetSpent(
                    f"the budget is spent: the next request could exceed --max-{kind} {shown}; finished "
                    "work is kept, and the same command with a larger budget continues from there"
                )


def prompt_tokens(request: Request) -> int:
    """Return the estimated number of tokens in the messages of a request."""
    return sum(count_tokens(message.content) + _TURN for message in request.messages)
