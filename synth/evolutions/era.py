"""In depth, by classification: from the year in which something happened to its decade or century."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.stated import child, dated, said, scenario_of, simple, stated
from synth.records import Sample, Scenario, Step
from synth.writer import Material

_LAST_RESORT = 0.3
"""How much less it is worth than a question that puts two things together."""


class Era(Evolution):
    """ "When was the Bell Rock Lighthouse built?" becomes "In which century was the Bell Rock Lighthouse built?" """

    name: ClassVar[str] = "era"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for one in dated(material):
            yield scenario_of(material, self.name, self.question_type, (one,), one.fact.trust - _LAST_RESORT)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        one = stated(material, scenario.path[0], "time")
        parent = simple(material, one, one.words.when(one.fact))
        return (parent,) if parent else ()

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        one = stated(material, scenario.path[0], "time")
        asked = one.words.era(one.fact)
        if asked is None or not parents:
            return Eliminated("nobody would ask for the decade or the century of that")
        read = Step(says=said(one), value=one.term.text, evidence=tuple(range(len(one.fact.spans))))
        last = Step(says=asked.question, value=asked.answer, operation="period", of=(0,))
        return child(material, self.question_type, self.name, asked.question, [read, last], [one.fact], one.language)
