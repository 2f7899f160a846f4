"""What was learned of an endpoint, kept from run to run: that it answers, and what its server understands."""

from __future__ import annotations

from dataclasses import replace

from synth.core.records import digest
from synth.core.store import Cache
from synth.models.chat.dialect import Dialect

KIND = "endpoint"
_ANSWERS = "answers"
_FORMATS = ("json_object", "plain")


class Contact:
    """The memory of one model's endpoint. What a server refused once it is not asked again.

    `place` is the address, at which several models may answer; `known` says that this one did.
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
        self._reached = self._reached or self._met(self._key_of(self._place))
        return self._reached

    def dialect(self) -> Dialect:
        """How requests are worded for the server, as far as earlier runs have found out."""
        refused = next((name for name in reversed(_FORMATS) if self._has(name)), None)
        found = Dialect(temperature=not self._has("no temperature"), seed=not self._has("no seed"))
        if refused is not None:
            found = replace(found, reply_format="plain" if refused == "plain" else "json_object")
        return replace(found, limit_name="max_completion_tokens") if self._has("max_completion_tokens") else found

    def learned(self, dialect: Dialect) -> None:
        """The server answered a request in this wording."""
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
        for name, so in facts.items():
            if so and self._cache is not None:
                self._cache.put(KIND, self._key(name), b"")

    def _has(self, name: str) -> bool:
        return self._met(self._key(name))

    def _met(self, key: str) -> bool:
        return self._cache is not None and self._cache.get(KIND, key) is not None

    def _key(self, name: str) -> str:
        return digest(KIND, self._identity, name)

    @staticmethod
    def _key_of(place: str) -> str:
        return digest(KIND, place)
