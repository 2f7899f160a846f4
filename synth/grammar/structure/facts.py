"""Facts that headings, lists and tables of a document state, with their exact offsets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from synth.core.records import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A statement of a heading, list or table, such as the price (`label`) of the day ticket (`thing`).

    `kind` is one of `core.records.STATEMENT_KINDS`. `thing` is the subject, in words that need no context. `label` is
    the attribute, the goal, the condition or the topic of a list. `answer` is the value or text that is stated. `items`
    are the items of a list or procedure. `spans` are the evidence; the last span contains the answer.

    `peers` is a key that is equal for comparable facts about other subjects, or "". `amount` and `unit` are the number
    in the answer and its unit, or "". `names` describes the answer if it is a name, for indirect questions ("boat with
    the highest speed"), or is "". `title` is the span of the title if it names the subject, else None. `named` is True
    if the subject can be compared by name with other subjects of the document.
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
        """The amount as a number. Raise decimal.InvalidOperation if `amount` is ""."""
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
    """A fact, and the draft questions that it answers."""

    fact: Fact
    drafts: tuple[Draft, ...]
