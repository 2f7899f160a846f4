"""What a run asked of its models, and what came of it: every call and every token, by purpose."""

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
    """Counts, safe to add to from several threads.

    A call is one exchange with an endpoint, whatever came of it. Tokens are those the endpoint
    reported; those of kept replies stand apart, since they were paid before. Of the prompt tokens, the
    known ones were in the endpoint's own cache. Quarantined are requests that an earlier run gave up
    and this one did not ask again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, Counter[str]] = {}
        self._retries: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()

    def call(self, purpose: str) -> None:
        """An exchange was begun."""
        self._add(purpose, calls=1)

    def reply(self, purpose: str, reply: RawReply) -> None:
        """An exchange brought a reply, good or bad: its tokens were spent."""
        self._add(
            purpose,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            known_prompt_tokens=reply.known_tokens,
        )

    def cached(self, purpose: str, completion: Completion) -> None:
        """A request was answered with nothing sent."""
        self._add(
            purpose,
            cached=1,
            cached_prompt_tokens=completion.prompt_tokens,
            cached_completion_tokens=completion.completion_tokens,
        )

    def quarantined(self, purpose: str) -> None:
        """A request was not asked again, since an earlier run gave it up."""
        self._add(purpose, quarantined=1)

    def retry(self, kind: FaultKind) -> None:
        """A request is tried again after a fault."""
        with self._lock:
            self._retries[kind] += 1

    def failure(self, kind: FaultKind) -> None:
        """A request was given up."""
        with self._lock:
            self._failures[kind] += 1

    def total(self, name: str) -> int:
        """The sum of one count, such as "calls" or "prompt_tokens", over all purposes."""
        with self._lock:
            return sum(counts[name] for counts in self._counts.values())

    def summary(self) -> Mapping[str, Any]:
        """All counts as plain data, in a fixed order: totals, retries, failures, and totals by purpose."""
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
