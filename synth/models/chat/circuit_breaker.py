"""Endpoints that are given up: one that is down, and one whose replies cannot be used, each with one message."""

from __future__ import annotations

from collections.abc import Callable

from synth.core.errors import EndpointLost, ModelError, RepliesUnusable
from synth.core.terminal import printable
from synth.models.chat.base import Fault, FaultKind

OPEN_AFTER = 5
_TRIES_BEFORE_FIRST_REPLY = 2


class Circuit:
    """Health of one model's endpoint.

    The circuit opens for the rest of the run when an endpoint that never replied cannot be reached, when `OPEN_AFTER`
    requests in a row were given up without a reply in between, or when no retry can help. For an endpoint that has
    replied the error is EndpointLost: the run keeps its rows.
    """

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._answered = False
        self._given_up = 0
        self._pending: list[Callable[[], None]] = []
        self._error: ModelError | EndpointLost | None = None

    def check(self) -> None:
        """Raise the error that opened the circuit, if it is open."""
        if self._error is not None:
            raise self._error

    def answered(self) -> None:
        """Record a reply of the endpoint, usable or not."""
        self._answered = True
        self._given_up = 0
        for remember in self._pending:
            remember()
        self._pending.clear()

    def limit(self, kind: FaultKind, limit: int) -> int:
        """Number of retries worth making: few for an endpoint that never replied."""
        return min(limit, _TRIES_BEFORE_FIRST_REPLY) if kind == "connection" and not self._answered else limit

    def given_up(self, fault: Fault, remember: Callable[[], None]) -> None:
        """Record a request given up with `fault`; may open the circuit.

        `remember` is called when another request gets a reply, which shows that this request is at fault and not the
        endpoint.
        """
        self._given_up += 1
        self._pending.append(remember)
        unreachable = fault.kind == "connection" and not self._answered
        if unreachable or self._given_up >= OPEN_AFTER:
            times = "" if unreachable else f" ({self._given_up} requests in a row got no reply)"
            advice = "check that the endpoint is up and --base-url right"
            if fault.kind == "timeout":
                advice += "; a slow model needs a longer --timeout, or a smaller --concurrency"
            self.open(ModelError(f"{self._identity}: {fault.reason}{times}; {advice}"))
            self.check()

    def open(self, error: ModelError) -> None:
        """Refuse all further requests with `error`."""
        if self._error is None and self._answered:
            more = "what was made is kept, the same command goes on from there"
            self._error = EndpointLost(f"the endpoint was lost: {error}; {more}")
        self._error = self._error or error


STOP_AFTER = 5
"""Requests in a row that fail alike before a run stops."""

_EXCERPT = 200


class Streak:
    """The requests of one model and one purpose that failed alike since its last usable reply.

    A reply that is mended by the next try does not count: a request counts when a try after the first fails too, or
    when it has no further try. `hide` takes the secrets of the model's endpoint out of a text.
    """

    def __init__(self, identity: str, purpose: str, hide: Callable[[str], str]) -> None:
        self._identity = identity
        self._purpose = purpose
        self._hide = hide
        self._kind: FaultKind | None = None
        self._keys: set[str] = set()
        self._error: RepliesUnusable | None = None

    def check(self) -> None:
        """Raise the error that ended the row, if it has ended."""
        if self._error is not None:
            raise self._error

    def usable(self) -> None:
        """Record a usable reply."""
        self._keys.clear()

    def unusable(self, key: str, kind: FaultKind, reason: str, reply: str) -> None:
        """Record a request that failed; the fifth in a row that fails alike ends the run."""
        if kind != self._kind:
            self._kind = kind
            self._keys.clear()
        self._keys.add(key)
        if len(self._keys) >= STOP_AFTER and self._error is None:
            said = printable(" ".join(self._hide(reply[: 10 * _EXCERPT]).split())[:_EXCERPT])
            self._error = RepliesUnusable(
                f"{STOP_AFTER} requests in a row ({self._purpose}) to {self._identity} failed alike: "
                f"{printable(self._hide(reason))}; the last reply begins: {said or '(nothing)'}; name another model, "
                "or mend its server, and --resume asks again; what was made is kept"
            )
