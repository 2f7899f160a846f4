"""Budget of a run: no request is sent that could exceed it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        if self._limits.cost and (unknown := sorted(name for name, price in self._prices.items() if price is None)):
            raise ConfigError(
                f"the cost cannot be limited: the price of {', '.join(unknown)} is not known; "
                "write it into a file and give that with --prices, or limit --max-calls or --max-tokens"
            )

    @property
    def cost(self) -> float:
        """Money spent on models with a known price."""
        return self._cost

    def hold(self, identity: str, request: Request) -> Hold:
        """Reserve the most that an exchange can take. Raises BudgetSpent when that exceeds a limit."""
        prompt = prompt_tokens(request) + _OVERHEAD
        price = self._prices.get(identity)
        hold = Hold(prompt + request.max_tokens, price.of(prompt, request.max_tokens) if price else 0.0)
        limits = self._limits
        self._check("calls", self._calls, 1, limits.calls, str)
        self._check("tokens", self._tokens, hold.tokens, limits.tokens, str)
        self._check("cost", self._cost, hold.cost, limits.cost, lambda value: f"{value:.4f}")
        self._calls += 1
        self._tokens += hold.tokens
        self._cost += hold.cost
        return hold

    def settle(self, identity: str, hold: Hold, raw: RawReply | None) -> None:
        """Replace the reservation of an exchange by the usage of its reply, or by nothing without a reply."""
        price = self._prices.get(identity)
        self._tokens -= hold.tokens
        self._cost -= hold.cost
        if raw is None:
            return
        self._tokens += raw.prompt_tokens + raw.completion_tokens
        self._cost += price.of(raw.prompt_tokens, raw.completion_tokens, raw.known_tokens) if price else 0.0

    @staticmethod
    def _check(kind: str, spent: float, more: float, limit: float, shown: Callable[[float], str]) -> None:
        if limit and spent + more > limit:
            raise BudgetSpent(
                f"the budget is spent: the next request could take {kind} over --max-{kind} {shown(limit)}; what was "
                "made is kept, the same command with a larger budget goes on from there"
            )


def prompt_tokens(request: Request) -> int:
    """Estimated tokens of the messages of a request."""
    return sum(count_tokens(message.content) + _TURN for message in request.messages)
