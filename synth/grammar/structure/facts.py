"""Facts that the structure of a document states, with their exact offsets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from synth.core.records import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A statement that the structure of a document makes.

    `kind` is one of `core.records.STATEMENT_KINDS`. `thing` is the subject, in words that need no context. `label` is
    the attribute, the goal, the condition or the topic of a list. `answer` is the whole statement about it. `items` are
    the items of a list or procedure. `spans` are the evidence; the last span contains the answer. `peers` is a key
    shared by comparable facts of other things, or "". `amount` and `unit` are the number in the answer and its unit, or
    "". `names` describes the thing that the answer names, for questions that refer to it indirectly ("boat with the
    highest speed"). `title` is the span of the title if it names the thing, else None. `named` is True if the thing has
    its own name, so that it can be compared with others of its document.
    """

    kind: str
    thing: str
    label: str
    answer: str
    spans: tuple[tuple[int, int], ...]
    items: tuple[str, ...] = ()
    peers: str = ""
    amount: str = ""
    unit: str = ""
    names: str = ""
    title: tuple[int, int] | None = None
    named: bool = False

    @property
    def number(self) -> Decimal:
        """The amount as a number."""
        return Decimal(self.amount)

    def packed(self) -> dict[str, Any]:
        """Return the fact as JSON values."""
        return asdict(self)

    @classmethod
    def unpacked(cls, row: Mapping[str, Any]) -> Fact:
        """Return the fact from the JSON values of `packed`."""
        spans = tuple((start, end) for start, end in row["spans"])
        title = tuple(row["title"]) if row["title"] else None
        return cls(**{**row, "spans": spans, "items": tuple(row["items"]), "title": title})


@dataclass(frozen=True, slots=True)
class Told:
    """A fact, and the questions that ask for it."""

    fact: Fact
    drafts: tuple[Draft, ...]
