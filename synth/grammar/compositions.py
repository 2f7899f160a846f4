"""Questions put together from facts, in the words of a language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from synth.records import Fact, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question with options, and what each option is called in it."""

    question: str
    options: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and its answer, as a person would give it."""

    question: str
    answer: str


class Compositions(Protocol):
    """How a language puts questions together. Every method gives None where it cannot do so well."""

    def when(self, fact: Fact) -> str | None:
        """When did it happen? The fact has a time."""

    def amount(self, fact: Fact) -> str | None:
        """How much, how many, how long? The fact has a quantity."""

    def what(self, fact: Fact) -> str | None:
        """What is the object of the fact? "What does the lamp burn?" """

    def interval(self, earlier: Fact, later: Fact) -> str | None:
        """How many years passed between the one and the other? Both have a time."""

    def span(self, fact: Fact) -> str | None:
        """From when to when did it go on? The time of the fact has two ends."""

    def lasting(self, fact: Fact) -> str | None:
        """For how many years did it go on? The time of the fact has two ends."""

    def era(self, fact: Fact) -> Asked | None:
        """In which decade, or century, did it happen? The fact has a time."""

    def first(self, a: Fact, b: Fact) -> Choice | None:
        """Which of two came first? Both have a time."""

    def more(self, a: Fact, b: Fact) -> Choice | None:
        """Which of two has the greater amount? Both have the same relation and comparable quantities."""

    def difference(self, a: Fact, b: Fact) -> str | None:
        """By how much is the amount of the first greater than that of the second?"""

    def listed(self, fact: Fact) -> tuple[str, ...] | None:
        """The items of a complete list that the fact's object is; None when it is not, or may go on."""

    def how_many(self, fact: Fact) -> str | None:
        """How many things does the list have that the fact's object is?"""

    def described(self, fact: Fact, term: Term, kind: str) -> str | None:
        """The thing that `term`, the subject or the object of a fact, names, by what the fact says of it.

        `kind` is what it is ("lighthouse", "person"; "" when unknown). "the lighthouse that Robert
        Stevenson built"; it must single out one thing.
        """

    def replaced(self, question: str, name: str, description: str) -> str | None:
        """A question in which a description stands in the place of a name."""

    def consequence(self, fact: Fact) -> Asked | None:
        """What holds under the condition of a fact? The question sets the condition."""

    def condition(self, fact: Fact) -> Asked | None:
        """Under which condition does it hold? The answer is the condition."""

    def years(self, count: int) -> str:
        """A number of years as an answer."""

    def number(self, count: int) -> str:
        """A bare number as an answer."""
