"""In depth, by arithmetic: from when to when something went on becomes how many years it went on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from synth.derivation import stands
from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.stated import Stated, child, lasted, said, scenario_of, simple, stated
from synth.records import Sample, Scenario, Step
from synth.text.dates import Date, Period, years_between
from synth.writer import Material

_SHORTEST = 2
"""Years from which on it is worth asking how many they were."""


class Lasting(Evolution):
    """ "From when to when did A serve as mayor?" becomes "For how many years did A serve as mayor?" """

    name: ClassVar[str] = "lasting"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for one in lasted(material):
            if (years_between(*_ends(one)) or 0) >= _SHORTEST:
                yield scenario_of(material, self.name, self.question_type, (one,), one.fact.trust)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        one = stated(material, scenario.path[0], "span")
        parent = simple(material, one, one.words.span(one.fact))
        return (parent,) if parent else ()

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        one = stated(material, scenario.path[0], "span")
        question = one.words.lasting(one.fact)
        if question is None or not parents:
            return Eliminated("nobody would ask how long that went on")
        ends = [end.rendered(one.language) for end in _ends(one)]
        if not all(stands(end, [one.term.text]) for end in ends):
            return Eliminated("one of the two ends is not written out")
        everything = tuple(range(len(one.fact.spans)))
        read = [Step(says=said(one), value=end, evidence=everything) for end in ends]
        years = one.words.years(years_between(*_ends(one)) or 0)
        last = Step(says=question, value=years, operation="years_between", of=(0, 1))
        return child(material, self.question_type, self.name, question, [*read, last], [one.fact], one.language)


def _ends(one: Stated) -> tuple[Date, Date]:
    assert isinstance(one.value, Period)
    assert one.value.last is not None, "what goes on still has not lasted"
    return one.value.first, one.value.last
