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
    """Thread-safe counts of usage.

    A call is one HTTP request to an endpoint, whether it succeeds or not. Token counts are those that the endpoint
    reported. Tokens of stored replies, which an earlier run paid for, are counted separately. Known prompt tokens were
    in the endpoint's prompt cache. Quarantined requests failed in an earlier run and are not sent again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, Counter[str]] = {}
        self._retries: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()

    def call(self, purpose: str) -> None:
        """Count a call that starts."""
        self._add(purpose, calls=1)

    def reply(self, purpose: str, reply: RawReply) -> None:
        """Count the tokens of a reply, whether it is usable or not."""
        self._add(
            purpose,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            known_prompt_tokens=reply.known_tokens,
        )

    def cached(self, purpose: str, completion: Completion) -> None:
        """Count a request that the cache answered."""
        self._add(
            purpose,
            cached=1,
            cached_prompt_tokens=completion.prompt_tokens,
            cached_completion_tokens=completion.completion_tokens,
        )

    def quarantined(self, purpose: str) -> None:
        """Count a request that is not sent because it failed in an earlier run."""
        self._add(purpose, quarantined=1)

    def retry(self, kind: FaultKind) -> None:
        """Count a retry after a fault."""
        with self._lock:
            self._retries[kind] += 1

    def failure(self, kind: FaultKind) -> None:
        """Count a request that failed after its last try."""
        with self._lock:
            self._failures[kind] += 1

    def total(self, name: str) -> int:
        """Return the sum of one count, such as "calls" or "prompt_tokens", over all purposes."""
        with self._lock:
            return sum(counts[name] for counts in self._counts.values())

    def summary(self) -> Mapping[str, Any]:
        """Return all counts in a fixed order: totals, retries, failures, and totals by purpose."""
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
