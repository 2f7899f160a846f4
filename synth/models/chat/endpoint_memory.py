"""Facts about an endpoint that are stored between runs: whether it has answered, and its dialect."""

from __future__ import annotations

from dataclasses import replace

from synth.core.records import digest
from synth.core.store import Cache
from synth.models.chat.dialect import Dialect

KIND = "endpoint"
_ANSWERS = "answers"
_FORMATS = ("json_object", "plain")


class EndpointMemory:
    """Stored facts about one model's endpoint, so that parameters that the server refused are not sent again.

    `place` is the address, which may serve several models. `known` is True if this model has answered.
    """

    def __init__(self, cache: Cache | None, identity: str, place: str) -> None:
        self._cache = cache
        self._identity = identity
        self._place = place
        self.known = self._has(_ANSWERS)
        self._reached = self.known

    @property
    def reached(self) -> bool:
        """Whether any model has answered at the address, in this run or before."""
        self._reached = self._reached or self._stored(self._key_of(self._place))
        return self._reached

    def dialect(self) -> Dialect:
        """Return the dialect of the server: the request parameters that it accepts, as learned in earlier runs."""
        plainest = next((name for name in reversed(_FORMATS) if self._has(name)), None)
        dialect = Dialect(temperature=not self._has("no temperature"), seed=not self._has("no seed"))
        if plainest is not None:
            dialect = replace(dialect, reply_format="plain" if plainest == "plain" else "json_object")
        return replace(dialect, limit_name="max_completion_tokens") if self._has("max_completion_tokens") else dialect

    def learned(self, dialect: Dialect) -> None:
        """Record that the server answered a request in this dialect."""
        self.known = self._reached = True
        if self._cache is not None:
            self._cache.put(KIND, self._key_of(self._place), b"")
        facts = {
            _ANSWERS: True,
            dialect.reply_format: dialect.reply_format in _FORMATS,
            dialect.limit_name: dialect.limit_name == "max_completion_tokens",
            "no temperature": not dialect.temperature,
            "no seed": not dialect.seed,
        }
        for name, holds in facts.items():
            if holds and self._cache is not None:
                self._cache.put(KIND, self._key(name), b"")

    def _has(self, name: str) -> bool:
        return self._stored(self._key(name))

    def _stored(self, key: str) -> bool:
        return self._cache is not None and self._cache.get(KIND, key) is not None

    def _key(self, name: str) -> str:
        return digest(KIND, self._identity, name)

    @staticmethod
    def _key_of(place: str) -> str:
        return digest(KIND, place)
