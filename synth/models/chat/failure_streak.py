"""Equal failures in a row: a model whose replies cannot be used is given up with what it said."""

from __future__ import annotations

from collections.abc import Callable

from synth.core.errors import RepliesUnusable
from synth.core.terminal import printable
from synth.models.chat.base import FaultKind

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
