"""Shards: disjoint parts of a corpus for several machines. Each machine determines its own documents."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.core.errors import ConfigError
from synth.core.records import digest


@dataclass(frozen=True, slots=True)
class Shard:
    """Shard `number` of `count`, counted from 1: the documents whose ids hash to this number.

    The shard of a document depends on its id alone. Raise ConfigError if `number` is not from 1 to `count`.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise ConfigError(
                f"a shard must be NUMBER/COUNT with NUMBER from 1 to {self.count}, was {self.number}/{self.count}"
            )

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def has(self, doc_id: str) -> bool:
        """Whether a document belongs to the shard."""
        return int(digest("shard", doc_id)[:15], 16) % self.count == self.number - 1


def shard_named(text: str) -> Shard:
    """Parse a shard such as "3/64". Raise ConfigError for another form."""
    numbers = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip(), re.ASCII)
    if not numbers:
        raise ConfigError(f"a shard must be NUMBER/COUNT, such as 3/64, was '{text}'")
    return Shard(int(numbers[1]), int(numbers[2]))
