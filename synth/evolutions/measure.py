"""In depth, by arithmetic on amounts of one passage: how much more the one is than the other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import ClassVar

from synth.derivation import OPERATIONS
from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.choosing import parents_of
from synth.evolutions.stated import Stated, by_passage, child, measured, pieces, said, scenario_of, stated
from synth.records import Sample, Scenario, Step
from synth.text.quantities import Quantity, comparable, difference, same, worded_like
from synth.writer import Material


class Measure(Evolution):
    """ "How tall is A?" and "How tall is B?" become "How much taller is A than B?" """

    name: ClassVar[str] = "measure"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(measured(material)).values():
            for a, b in combinations(group, 2):
                if alike(a, b):
                    greater, less = in_turn(a, b)
                    worth = min(a.fact.trust, b.fact.trust)
                    yield scenario_of(material, self.name, self.question_type, (greater, less), worth)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        return parents_of(material, [stated(material, fact_id, "quantity") for fact_id in scenario.path])

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        greater, less = (stated(material, fact_id, "quantity") for fact_id in scenario.path)
        return reckoned(material, self.name, self.question_type, parents, greater, less)


def alike(a: Stated, b: Stated) -> bool:
    """Whether two facts give different amounts of the same thing, so that they can be compared."""
    return (
        a.fact.relation == b.fact.relation
        and a.language == b.language
        and comparable(amount(a), amount(b))
        and amount(a).in_base != amount(b).in_base
    )


def in_turn(a: Stated, b: Stated) -> tuple[Stated, Stated]:
    """Two facts, of amounts the greater first; dates stay as they come."""
    if isinstance(a.value, Quantity) and amount(b).in_base > amount(a).in_base:
        return b, a
    return a, b


def amount(one: Stated) -> Quantity:
    """The quantity that a measured fact gives."""
    assert isinstance(one.value, Quantity)
    return one.value


def reckoned(
    material: Material, name: str, kind: str, parents: tuple[Sample, ...], greater: Stated, less: Stated
) -> Sample | Eliminated:
    """The child that asks by how much the amount of one fact is greater than that of another."""
    if len(parents) < 2:
        return Eliminated("one of the two cannot be asked for on its own")
    facts = (greater.fact, less.fact)
    question = greater.words.difference(*facts)
    if question is None:
        return Eliminated("the two amounts cannot be joined in one question")
    gap = difference(amount(greater), amount(less))
    value = worded_like(gap, greater.term.text, greater.language)
    read = [
        Step(says=said(one), value=one.term.text, evidence=at)
        for one, at in ((one, pieces(material, facts, one.fact)) for one in (greater, less))
    ]
    if not OPERATIONS["difference"](read, value, greater.language):
        return Eliminated("the amounts cannot be reckoned with exactly")
    if any(same(gap, amount(one)) for one in (greater, less)):
        return Eliminated("the difference is one of the two amounts, and stands in the text")
    last = Step(says=question, value=value, operation="difference", of=(0, 1))
    return child(material, kind, name, question, [*read, last], facts, greater.language)
