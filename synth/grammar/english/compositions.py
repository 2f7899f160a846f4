"""Questions put together from facts, in English."""

from __future__ import annotations

from synth.grammar.compositions import Asked, Choice
from synth.grammar.english import (
    composing_amounts,
    composing_conditions,
    composing_descriptions,
    composing_lists,
    composing_spans,
    composing_times,
)
from synth.records import Fact, Term


class EnglishCompositions:
    """How English puts questions together; see `synth.grammar.compositions.Compositions`."""

    def when(self, fact: Fact) -> str | None:
        return composing_times.when(fact)

    def amount(self, fact: Fact) -> str | None:
        return composing_amounts.amount(fact)

    def what(self, fact: Fact) -> str | None:
        return composing_lists.what(fact)

    def interval(self, earlier: Fact, later: Fact) -> str | None:
        return composing_times.interval(earlier, later)

    def span(self, fact: Fact) -> str | None:
        return composing_spans.span(fact)

    def lasting(self, fact: Fact) -> str | None:
        return composing_spans.lasting(fact)

    def era(self, fact: Fact) -> Asked | None:
        return composing_spans.era(fact)

    def first(self, a: Fact, b: Fact) -> Choice | None:
        return composing_times.first(a, b)

    def more(self, a: Fact, b: Fact) -> Choice | None:
        return composing_amounts.more(a, b)

    def difference(self, a: Fact, b: Fact) -> str | None:
        return composing_amounts.difference(a, b)

    def listed(self, fact: Fact) -> tuple[str, ...] | None:
        return composing_lists.listed(fact)

    def how_many(self, fact: Fact) -> str | None:
        return composing_lists.how_many(fact)

    def described(self, fact: Fact, term: Term, kind: str) -> str | None:
        return composing_descriptions.described(fact, term, kind)

    def replaced(self, question: str, name: str, description: str) -> str | None:
        return composing_descriptions.replaced(question, name, description)

    def consequence(self, fact: Fact) -> Asked | None:
        return composing_conditions.consequence(fact)

    def condition(self, fact: Fact) -> Asked | None:
        return composing_conditions.condition(fact)

    def years(self, count: int) -> str:
        return "1 year" if count == 1 else f"{count} years"

    def number(self, count: int) -> str:
        return str(count)
