"""Shards of a corpus: parts of its documents for several machines, each of which knows its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.core.errors import ConfigError
from synth.core.records import digest


@dataclass(frozen=True, slots=True)
class Shard:
    """Shard `number`, from 1, of `count`: the documents whose ids have that hash.

    A document's shard depends on its id alone, and not on the other documents. Raises ConfigError for a
    number outside 1 to `count`.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise ConfigError(f"a shard is NUMBER/COUNT, from 1/{self.count}, was {self.number}/{self.count}")

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def has(self, doc_id: str) -> bool:
        return int(digest("shard", doc_id)[:15], 16) % self.count == self.number - 1


def shard_named(text: str) -> Shard:
    """The shard of a name such as 3/64. Raises ConfigError for another form."""
    numbers = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip(), re.ASCII)
    if not numbers:
        raise ConfigError(f"a shard is NUMBER/COUNT, such as 3/64, was '{text}'")
    return Shard(int(numbers[1]), int(numbers[2]))
