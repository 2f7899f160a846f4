"""Facts that the structure of a document states, each with its exact place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from synth.core.records import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that the structure of a document states.

    `kind` is one of `core.records.STATEMENT_KINDS`. `thing` is what it is about, in words that need no context; `label`
    is the attribute, the goal, the condition or what a list lists; `answer` is what is said of it, whole. `items` are
    those of a list or a procedure. `spans` are the evidence, the last of which tells the answer. `peers` names what
    comparable facts of other things have in common, "" where nothing is to be compared. `amount` is the number that the
    answer gives and `unit` that of it; both are empty where it gives none. `names` describes
    the thing that the answer names, for questions that lead over it ("boat with the highest speed"). `title` is
    where the document names the thing, if it is its title. `named` says that the thing has a name of its own, so that
    it can be compared with others of its document.
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
        """The fact as JSON values."""
        return asdict(self)

    @classmethod
    def unpacked(cls, row: Mapping[str, Any]) -> Fact:
        """The fact of JSON values."""
        spans = tuple((start, end) for start, end in row["spans"])
        title = tuple(row["title"]) if row["title"] else None
        return cls(**{**row, "spans": spans, "items": tuple(row["items"]), "title": title})


@dataclass(frozen=True, slots=True)
class Told:
    """A fact, and the questions that ask for it alone."""

    fact: Fact
    drafts: tuple[Draft, ...]
