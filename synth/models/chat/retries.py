"""Number of retries for each kind of fault, and the pauses before them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from synth.core.checks import check_least
from synth.core.errors import ConfigError
from synth.models.chat.base import FaultKind

_LIMITS: Mapping[FaultKind, int] = {
    "throttled": 8,
    "server": 5,
    "connection": 5,
    "timeout": 2,
    "truncated": 2,
    "unparsable": 3,
    "refused": 0,
    "empty": 3,
}
# The endpoint answered, and only the reply is unusable. Waiting does not help.
_WITHOUT_PAUSE: frozenset[FaultKind] = frozenset({"truncated", "unparsable", "refused", "empty"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """Number of retries of failed requests by kind of fault, and the pauses before them.

    `limits` overrides the number of retries for some kinds of fault. Each kind is counted separately. The first pause
    is `first_pause` seconds. Each further pause is twice the last, at most `longest_pause`. Each pause is shortened at
    random by up to a half. A wait that an endpoint asks for is used instead, extended by up to a tenth. If the wait is
    longer than `longest_wait` seconds, the request fails. After a reply that cannot be used there is no pause.
    """

    limits: Mapping[FaultKind, int] = field(default_factory=dict)
    first_pause: float = 0.5
    longest_pause: float = 30.0
    longest_wait: float = 300.0

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.limits) - set(_LIMITS)):
            raise ConfigError(f"unknown kind of fault: {', '.join(unknown)}; known: {', '.join(sorted(_LIMITS))}")
        if negative := sorted(kind for kind, limit in self.limits.items() if limit < 0):
            raise ConfigError(f"retry limits must be at least 0; too small for {', '.join(negative)}")
        for name in ("first_pause", "longest_pause", "longest_wait"):
            check_least(name, getattr(self, name), 0)

    def limit(self, kind: FaultKind) -> int:
        """Return the maximum number of retries after faults of `kind`."""
        return self.limits.get(kind, _LIMITS[kind])

    def is_too_long(self, wait: float) -> bool:
        """Return whether an endpoint asks for a wait, in seconds, that is longer than `longest_wait`."""
        return wait > self.longest_wait

    def pause(self, kind: FaultKind, faults: int, key: str, retry_after: float | None = None) -> float:
        """Return the seconds to wait after fault number `faults` (from 1) of `kind` on the request `key`.

        The same arguments give the same pause in each run.
        """
        if kind in _WITHOUT_PAUSE:
            return 0.0
        spread = random.Random(f"{key}:{kind}:{faults}").random()
        if retry_after is not None:
            return retry_after * (1 + 0.1 * spread)
        return float(min(self.first_pause * 2.0 ** min(faults - 1, 16), self.longest_pause)) * (1 - 0.5 * spread)
