"""How often a request is tried again after each kind of fault, and how long it waits before."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from synth.core.errors import ConfigError
from synth.models.chat.base import FaultKind

_LIMITS: Mapping[FaultKind, int] = MappingProxyType(
    {
        "throttled": 8,
        "server": 5,
        "connection": 5,
        "timeout": 2,
        "truncated": 2,
        "unparsable": 3,
        "refused": 0,
        "empty": 3,
    }
)
# A reply that came but cannot be used says nothing of the endpoint's health: no wait mends it.
_WITHOUT_PAUSE: frozenset[FaultKind] = frozenset({"truncated", "unparsable", "refused", "empty"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How patient the driver is.

    `limits` is the number of further tries for each kind of fault, counted apart. The n-th pause is
    `first_pause` seconds doubled n times, at most `longest_pause`, cut by up to a half at random. An
    endpoint that asks for a longer wait is obeyed up to `longest_wait` seconds; beyond, the request fails.
    """

    limits: Mapping[FaultKind, int] = field(default_factory=lambda: _LIMITS)
    first_pause: float = 0.5
    longest_pause: float = 30.0
    longest_wait: float = 300.0

    def __post_init__(self) -> None:
        if missing := sorted(set(_LIMITS) - set(self.limits)):
            raise ConfigError(f"retry limits are missing for {', '.join(missing)}")
        if wrong := sorted(kind for kind, limit in self.limits.items() if limit < 0):
            raise ConfigError(f"retry limits must be at least 0; too small for {', '.join(wrong)}")

    @classmethod
    def with_limits(cls, **limits: int) -> Retries:
        """The default patience, but for the kinds given."""
        if unknown := sorted(set(limits) - set(_LIMITS)):
            raise ConfigError(f"no such kind of fault: {', '.join(unknown)}; known: {', '.join(sorted(_LIMITS))}")
        return cls(limits=MappingProxyType({kind: limits.get(kind, limit) for kind, limit in _LIMITS.items()}))

    def pause(self, kind: FaultKind, tries: int, key: str, retry_after: float | None = None) -> float:
        """Seconds to wait before try number `tries` (from 1) of the request `key`; the same at each run."""
        if kind in _WITHOUT_PAUSE:
            return 0.0
        spread = random.Random(f"{key}:{kind}:{tries}").random()
        if retry_after is not None:
            return retry_after * (1 + 0.1 * spread)
        return float(min(self.first_pause * 2.0 ** min(tries - 1, 16), self.longest_pause)) * (1 - 0.5 * spread)
