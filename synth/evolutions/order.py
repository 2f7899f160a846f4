"""In depth, by order in time: which of two things of one passage came first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.choosing import choose, parents_of
from synth.evolutions.stated import Stated, by_passage, dated, related, scenario_of, stated
from synth.records import Sample, Scenario
from synth.text.dates import Date
from synth.writer import Material


class Order(Evolution):
    """ "When did A happen?" and "When did B happen?" become "Which happened first, A or B?" """

    name: ClassVar[str] = "order"
    author: ClassVar[str] = "grammar"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(dated(material)).values():
            for a, b in combinations(group, 2):
                if in_order(a, b):
                    worth = min(a.fact.trust, b.fact.trust) - (0.1 if related(a, b) else 0.2)
                    yield scenario_of(material, self.name, self.question_type, (a, b), worth)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        return parents_of(material, [stated(material, fact_id, "time") for fact_id in scenario.path])

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        a, b = (stated(material, fact_id, "time") for fact_id in scenario.path)
        return choose(material, self.name, self.question_type, parents, a, b, a.words.first(a.fact, b.fact), "earliest")


def in_order(a: Stated, b: Stated) -> bool:
    """Whether it is certain that one of two dated facts came before the other."""
    return isinstance(a.value, Date) and isinstance(b.value, Date) and a.value.before(b.value) is not None
