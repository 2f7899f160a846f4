"""Usage of chat models in a run: calls, tokens, retries and failures, by purpose."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any

from synth.models.chat.base import Completion, FaultKind, RawReply

_COUNTS = (
    "calls",
    "cached",
    "prompt_tokens",
    "completion_tokens",
    "known_prompt_tokens",
    "cached_prompt_tokens",
    "cached_completion_tokens",
    "quarantined",
)


class Accounts:
    """Thread-safe counts.

    A call is one exchange with an endpoint, successful or not. Tokens are those that the endpoint reported; tokens of
    stored replies, paid for earlier, are counted apart. Known prompt tokens were in the endpoint's prompt cache.
    Quarantined requests were given up by an earlier run and are not asked again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, Counter[str]] = {}
        self._retries: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()

    def call(self, purpose: str) -> None:
        """Count a started exchange."""
        self._add(purpose, calls=1)

    def reply(self, purpose: str, reply: RawReply) -> None:
        """Count the tokens of a reply, usable or not."""
        self._add(
            purpose,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            known_prompt_tokens=reply.known_tokens,
        )

    def cached(self, purpose: str, completion: Completion) -> None:
        """Count a request answered from the cache."""
        self._add(
            purpose,
            cached=1,
            cached_prompt_tokens=completion.prompt_tokens,
            cached_completion_tokens=completion.completion_tokens,
        )

    def quarantined(self, purpose: str) -> None:
        """Count a request not sent because an earlier run gave it up."""
        self._add(purpose, quarantined=1)

    def retry(self, kind: FaultKind) -> None:
        """Count a retry after a fault."""
        with self._lock:
            self._retries[kind] += 1

    def failure(self, kind: FaultKind) -> None:
        """Count a request given up."""
        with self._lock:
            self._failures[kind] += 1

    def total(self, name: str) -> int:
        """Sum of one count, such as "calls" or "prompt_tokens", over all purposes."""
        with self._lock:
            return sum(counts[name] for counts in self._counts.values())

    def summary(self) -> Mapping[str, Any]:
        """All counts in a fixed order: totals, retries, failures, and totals by purpose."""
        totals = {name: self.total(name) for name in _COUNTS}
        with self._lock:
            return {
                **totals,
                "retries": dict(sorted(self._retries.items())),
                "failures": dict(sorted(self._failures.items())),
                "by_purpose": {
                    purpose: {name: self._counts[purpose][name] for name in _COUNTS} for purpose in sorted(self._counts)
                },
            }

    def _add(self, purpose: str, **amounts: int) -> None:
        with self._lock:
            self._counts.setdefault(purpose, Counter()).update(amounts)
