"""In depth, by arithmetic: from when two things happened to the time between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.stated import (
    Stated,
    by_passage,
    child,
    dated,
    pieces,
    related,
    same_subject,
    scenario_of,
    simple,
    stated,
)
from synth.records import Sample, Scenario, Step
from synth.text.dates import Date, years_between
from synth.writer import Material


class Interval(Evolution):
    """ "When did A happen?" and "When did B happen?" become "How many years after A did B happen?" """

    name: ClassVar[str] = "interval"
    author: ClassVar[str] = "grammar"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(dated(material)).values():
            for a, b in _pairs(group):
                worth = min(a.fact.trust, b.fact.trust) - (0.05 if same_subject(a, b) else 0.0)
                yield scenario_of(material, self.name, self.question_type, (a, b), worth)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        both = [stated(material, fact_id, "time") for fact_id in scenario.path]
        made = [simple(material, one, one.words.when(one.fact)) for one in both]
        return tuple(sample for sample in made if sample)

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        earlier, later = (stated(material, fact_id, "time") for fact_id in scenario.path)
        if len(parents) < 2:
            return Eliminated("one of the two cannot be asked for on its own")
        question = earlier.words.interval(earlier.fact, later.fact)
        if question is None:
            return Eliminated("the two cannot be joined in one question")
        facts = (earlier.fact, later.fact)
        years = years_between(_date(earlier), _date(later)) or 0
        read = [
            Step(says=_says(s), value=s.term.text, evidence=pieces(material, facts, s.fact)) for s in (earlier, later)
        ]
        last = Step(says=question, value=earlier.words.years(years), operation="years_between", of=(0, 1))
        return child(material, self.question_type, self.name, question, [*read, last], facts, earlier.language)


def _pairs(group: list[Stated]) -> Iterator[tuple[Stated, Stated]]:
    """Pairs of related events at least two years apart, the earlier one first."""
    for one, other in combinations(group, 2):
        a, b = (one, other) if _date(one).year <= _date(other).year else (other, one)
        years = years_between(_date(a), _date(b))
        if years and years > 1 and related(a, b):
            yield a, b


def _date(one: Stated) -> Date:
    assert isinstance(one.value, Date)
    return one.value


def _says(one: Stated) -> str:
    return one.fact.wording.get("statement", one.fact.subject.text)
