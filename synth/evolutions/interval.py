"""In depth, by arithmetic: from when two things happened to the time between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.choosing import parents_of
from synth.evolutions.stated import (
    Stated,
    by_passage,
    child,
    dated,
    pieces,
    related,
    said,
    same_subject,
    scenario_of,
    stated,
)
from synth.records import Sample, Scenario, Step
from synth.text.dates import Date, years_between
from synth.writer import Material


class Interval(Evolution):
    """ "When did A happen?" and "When did B happen?" become "How many years after A did B happen?" """

    name: ClassVar[str] = "interval"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(dated(material)).values():
            for a, b in _pairs(group):
                less = 0.05 if same_subject(a, b) else 0.0 if related(a, b) else 0.1
                worth = min(a.fact.trust, b.fact.trust) - less
                yield scenario_of(material, self.name, self.question_type, (a, b), worth)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        return parents_of(material, [stated(material, fact_id, "time") for fact_id in scenario.path])

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        earlier, later = (stated(material, fact_id, "time") for fact_id in scenario.path)
        return between(material, self.name, self.question_type, parents, earlier, later)


def between(
    material: Material, name: str, kind: str, parents: tuple[Sample, ...], earlier: Stated, later: Stated
) -> Sample | Eliminated:
    """The child that asks how many years after one event another happened."""
    if len(parents) < 2:
        return Eliminated("one of the two cannot be asked for on its own")
    question = earlier.words.interval(earlier.fact, later.fact)
    if question is None:
        return Eliminated("the two cannot be joined in one question")
    facts = (earlier.fact, later.fact)
    years = years_between(date_of(earlier), date_of(later)) or 0
    read = [Step(says=said(s), value=s.term.text, evidence=pieces(material, facts, s.fact)) for s in (earlier, later)]
    last = Step(says=question, value=earlier.words.years(years), operation="years_between", of=(0, 1))
    return child(material, kind, name, question, [*read, last], facts, earlier.language)


def apart(one: Stated, other: Stated) -> tuple[Stated, Stated] | None:
    """Two events, the earlier one first, when it is certain that at least two years lie between them."""
    a, b = (one, other) if date_of(one).year <= date_of(other).year else (other, one)
    years = years_between(date_of(a), date_of(b))
    return (a, b) if years and years > 1 else None


def _pairs(group: list[Stated]) -> Iterator[tuple[Stated, Stated]]:
    return (pair for one, other in combinations(group, 2) if (pair := apart(one, other)))


def date_of(one: Stated) -> Date:
    """The date that a dated fact gives."""
    assert isinstance(one.value, Date)
    return one.value
