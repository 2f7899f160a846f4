"""Budget of a run: no request is sent that could exceed it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.core.errors import BudgetSpent, ConfigError
from synth.models.chat.base import RawReply, Request
from synth.models.chat.prices import Price
from synth.text.tokens import count_tokens

_TURN = 8
"""Tokens of a message besides its text."""

_OVERHEAD = 40
"""Tokens that a server may add for its template and the grammar of the schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a run: money, exchanges, and tokens of prompts and replies; 0 is no limit."""

    cost: float = 0.0
    calls: int = 0
    tokens: int = 0

    def __post_init__(self) -> None:
        if self.cost < 0 or self.calls < 0 or self.tokens < 0:
            raise ConfigError("the limits of cost, calls and tokens must be at least 0; 0 is no limit")


@dataclass(frozen=True, slots=True)
class Hold:
    """Reservation for an exchange in progress: the most that it can take."""

    tokens: int
    cost: float


class Budget:
    """Spending of a run, with reservations for exchanges in progress, and its limits. Not thread-safe.

    `prices` are by the identity of a model. Raises ConfigError when money is limited and a price is unknown.
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
                "write it into a file and give that with --prices, or limit --max-calls or --max-tokens"
            )

    @property
    def cost(self) -> float:
        """Money spent on models with a known price."""
        return self._cost

    async def reserve(self, identity: str, request: Request) -> Hold:
        """Reserve the most that an exchange can take, where needed after the exchanges in progress have settled.

        An exchange takes less than its reservation as a rule, so that a request that does not fit now may fit then.
        Raises BudgetSpent when it cannot fit, whatever the exchanges in progress take.
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
        """Reserve the most that an exchange can take. Raises BudgetSpent when that exceeds a limit now."""
        hold = self._most(identity, request)
        self._check(hold)
        self._running.append(hold)
        self._calls += 1
        self._tokens += hold.tokens
        self._cost += hold.cost
        return hold

    def settle(self, identity: str, hold: Hold, raw: RawReply | None) -> None:
        """Replace the reservation of an exchange by the usage of its reply, or by nothing without a reply."""
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
        """Raise BudgetSpent when `hold` exceeds a limit although the holds in `returned` had been given back."""
        tokens = self._tokens - sum(other.tokens for other in returned)
        cost = self._cost - sum(other.cost for other in returned)
        for kind, spent, more, limit, shown in (
            ("calls", self._calls, 1, self._limits.calls, f"{self._limits.calls}"),
            ("tokens", tokens, hold.tokens, self._limits.tokens, f"{self._limits.tokens}"),
            ("cost", cost, hold.cost, self._limits.cost, f"{self._limits.cost:.4f}"),
        ):
            if limit and spent + more > limit:
                raise BudgetSpent(
                    f"the budget is spent: the next request could take {kind} over --max-{kind} {shown}; what was "
                    "made is kept, the same command with a larger budget goes on from there"
                )


def prompt_tokens(request: Request) -> int:
    """Estimated tokens of the messages of a request."""
    return sum(count_tokens(message.content) + _TURN for message in request.messages)
