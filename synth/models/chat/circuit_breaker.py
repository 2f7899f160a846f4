"""Circuit breaker: ends a run when an endpoint is down or its replies cannot be used, with one message."""

from __future__ import annotations

from collections.abc import Callable

from synth.core.errors import EndpointLost, ModelError, RepliesUnusable
from synth.core.terminal import printable
from synth.models.chat.base import Fault, FaultKind

OPEN_AFTER = 5
"""Number of requests in a row without a reply after which no more are sent to the endpoint."""
_TRIES_BEFORE_FIRST_REPLY = 2


class Circuit:
    """Circuit breaker of one model's endpoint. Once open, it refuses all further requests of the run.

    It opens if an endpoint that has never replied cannot be reached, or if `OPEN_AFTER` requests in a row get no reply.
    It also opens after an error that no retry can fix. If the endpoint has replied before, the error is EndpointLost,
    so that the run keeps its rows.
    """

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._answered = False
        self._given_up = 0
        self._pending: list[Callable[[], None]] = []
        self._error: ModelError | EndpointLost | None = None

    def check(self) -> None:
        """Raise the error that opened the circuit, if the circuit is open."""
        if self._error is not None:
            raise self._error

    def answered(self) -> None:
        """Record a reply of the endpoint, whether it is usable or not."""
        self._answered = True
        self._given_up = 0
        for remember in self._pending:
            remember()
        self._pending.clear()

    def limit(self, kind: FaultKind, limit: int) -> int:
        """Return the number of retries: `limit`, or fewer if an endpoint that has never replied cannot be reached."""
        return min(limit, _TRIES_BEFORE_FIRST_REPLY) if kind == "connection" and not self._answered else limit

    def given_up(self, fault: Fault, remember: Callable[[], None]) -> None:
        """Record a request that failed with `fault` after its last try. Raises the error if this opens the circuit.

        `remember` stores the failure. It is called when another request gets a reply, because then the endpoint is not
        at fault.
        """
        self._given_up += 1
        self._pending.append(remember)
        unreachable = fault.kind == "connection" and not self._answered
        if unreachable or self._given_up >= OPEN_AFTER:
            times = "" if unreachable else f" ({self._given_up} requests in a row got no reply)"
            advice = "check that the endpoint is up and --base-url is right"
            if fault.kind == "timeout":
                advice += "; a slow model needs a longer --timeout, or a smaller --concurrency"
            self.open(ModelError(f"{self._identity}: {fault.reason}{times}; {advice}"))
            self.check()

    def open(self, error: ModelError) -> None:
        """Refuse all further requests with `error`."""
        if self._error is None and self._answered:
            more = "finished work is kept, and the same command continues from there"
            self._error = EndpointLost(f"the endpoint was lost: {error}; {more}")
        self._error = self._error or error


STOP_AFTER = 5
"""Number of requests in a row with the same kind of fault after which a run stops."""

_EXCERPT = 200


class Streak:
    """Count of requests in a row, to one model and for one purpose, that have failed with the same kind of fault.

    A request counts only if its second try fails too, or if there is no second try. `hide` removes the secrets of the
    model's endpoint from a text.
    """

    def __init__(self, identity: str, purpose: str, hide: Callable[[str], str]) -> None:
        self._identity = identity
        self._purpose = purpose
        self._hide = hide
        self._kind: FaultKind | None = None
        self._keys: set[str] = set()
        self._error: RepliesUnusable | None = None

    @property
    def error(self) -> RepliesUnusable | None:
        """The error if `STOP_AFTER` requests in a row have failed with the same kind of fault, else None."""
        return self._error

    def usable(self) -> None:
        """Record a usable reply."""
        self._keys.clear()

    def unusable(self, key: str, kind: FaultKind, reason: str, reply: str) -> None:
        """Record a failed request. `reply` is the text that could not be used, "" for none."""
        if kind != self._kind:
            self._kind = kind
            self._keys.clear()
        self._keys.add(key)
        if len(self._keys) >= STOP_AFTER and self._error is None:
            said = printable(" ".join(self._hide(reply[: 10 * _EXCERPT]).split())[:_EXCERPT])
            self._error = RepliesUnusable(
                f"{STOP_AFTER} requests in a row ({self._purpose}) to {self._identity} failed in the same way: "
                f"{printable(self._hide(reason))}; the last reply begins: {said or '(nothing)'}; name another model, "
                "or fix its server and run the command again with --resume; finished work is kept"
            )
