"""Questions put together from Chinese facts, in the script of their document."""

from __future__ import annotations

from dataclasses import dataclass

from synth.grammar.chinese import composing_amounts as amounts
from synth.grammar.chinese import composing_conditions as conditions
from synth.grammar.chinese import composing_descriptions as descriptions
from synth.grammar.chinese import composing_spans as spans
from synth.grammar.chinese import composing_times as times
from synth.grammar.chinese.objects import GOING
from synth.grammar.chinese.script import template
from synth.grammar.compositions import Asked, Choice
from synth.records import Fact, Term
from synth.text.normalise import to_simplified


@dataclass(frozen=True, slots=True)
class ChineseCompositions:
    """The compositions of Chinese; `language` is "zh-Hans" or "zh-Hant"."""

    language: str

    def when(self, fact: Fact) -> str | None:
        return times.when(fact, self.language)

    def amount(self, fact: Fact) -> str | None:
        return amounts.amount(fact, self.language)

    def what(self, fact: Fact) -> str | None:
        statement, thing = fact.wording.get("statement", ""), fact.object.text if fact.object else ""
        if not thing or not times.plain(fact) or not statement.endswith(thing) or fact.relation == "是":
            return None
        if times.POINTS.search(to_simplified(statement)) or GOING.search(to_simplified(fact.relation)):
            return None
        word = "谁" if fact.object and fact.object.kind == "person" else "什么"
        kept = statement[: -len(thing)].rstrip()
        return kept + " " * (kept[-1:].isascii() and kept[-1:].isalnum()) + template(f"{word}？", self.language)

    def interval(self, earlier: Fact, later: Fact) -> str | None:
        return times.interval(earlier, later, self.language)

    def span(self, fact: Fact) -> str | None:
        return spans.span(fact, self.language)

    def lasting(self, fact: Fact) -> str | None:
        return spans.lasting(fact, self.language)

    def era(self, fact: Fact) -> Asked | None:
        return spans.era(fact, self.language)

    def first(self, a: Fact, b: Fact) -> Choice | None:
        return times.first(a, b, self.language)

    def more(self, a: Fact, b: Fact) -> Choice | None:
        return amounts.more(a, b, self.language)

    def difference(self, a: Fact, b: Fact) -> str | None:
        return amounts.difference(a, b, self.language)

    def listed(self, fact: Fact) -> tuple[str, ...] | None:
        return amounts.listed(fact)

    def how_many(self, fact: Fact) -> str | None:
        return amounts.how_many(fact, self.language)

    def described(self, fact: Fact, term: Term, kind: str) -> str | None:
        return descriptions.described(fact, term, kind, self.language)

    def replaced(self, question: str, name: str, description: str) -> str | None:
        return descriptions.replaced(question, name, description)

    def consequence(self, fact: Fact) -> Asked | None:
        return conditions.consequence(fact, self.language)

    def condition(self, fact: Fact) -> Asked | None:
        return conditions.condition(fact, self.language)

    def years(self, count: int) -> str:
        return f"{count}年"

    def number(self, count: int) -> str:
        return str(count)
