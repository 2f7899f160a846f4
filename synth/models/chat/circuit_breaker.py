"""An endpoint that is down is given up at once, for all requests, with one clear message."""

from __future__ import annotations

from collections.abc import Callable

from synth.core.errors import EndpointLost, ModelError
from synth.models.chat.base import Fault, FaultKind

OPEN_AFTER = 5
_TRIES_OF_A_STRANGER = 2


class Circuit:
    """The health of one model's endpoint.

    It opens, for good, when an endpoint that never answered cannot be reached, when `OPEN_AFTER` requests
    one after another were given up with no reply in between, and when no retry can help. Once the endpoint has
    answered, that is EndpointLost: the run keeps what it has.
    """

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._answered = False
        self._given_up = 0
        self._unsure: list[Callable[[], None]] = []
        self._error: ModelError | EndpointLost | None = None

    def check(self) -> None:
        """Raise the error that opened the circuit, if it is open."""
        if self._error is not None:
            raise self._error

    def answered(self) -> None:
        """The endpoint gave a reply, be it good or bad."""
        self._answered = True
        self._given_up = 0
        for remember in self._unsure:
            remember()
        self._unsure.clear()

    def limit(self, kind: FaultKind, limit: int) -> int:
        """Further tries worth making: few where nobody has ever answered."""
        return min(limit, _TRIES_OF_A_STRANGER) if kind == "connection" and not self._answered else limit

    def given_up(self, fault: Fault, remember: Callable[[], None]) -> None:
        """All tries of a request ended in faults of the endpoint, `fault` the last; may open the circuit.

        Whether the request or the endpoint is to blame is known once another one gets a reply: then
        `remember` is called.
        """
        self._given_up += 1
        self._unsure.append(remember)
        stranger = fault.kind == "connection" and not self._answered
        if stranger or self._given_up >= OPEN_AFTER:
            times = "" if stranger else f" ({self._given_up} requests one after another got no reply)"
            self.open(
                ModelError(f"{self._identity}: {fault.reason}{times}; see that the endpoint is up and --base-url right")
            )
            self.check()

    def open(self, error: ModelError) -> None:
        """Let no request through from now on."""
        if self._error is None and self._answered:
            more = "what was made is kept, the same command goes on from there"
            self._error = EndpointLost(f"the endpoint was lost: {error}; {more}")
        self._error = self._error or error
