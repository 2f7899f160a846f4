"""Across passages, by time: two events in the life of one thing that no single passage tells both of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.choosing import choose, parents_of
from synth.evolutions.interval import apart, between
from synth.evolutions.order import in_order
from synth.evolutions.stated import Stated, dated, scenario_of, stated
from synth.records import Sample, Scenario
from synth.text.normalise import normalise
from synth.writer import Material

_NAMING = ("person", "place", "organisation", "work")
"""Kinds of things that a name settles wherever it stands."""

_SAME_DOCUMENT = 0.1
"""What two passages of one document are worth less than those of two."""

_FIRST, _YEARS = range(2)
"""What is asked of two events: which came first, the years between."""


class Chronicle(Evolution):
    """ "When did A do this?" and "When did A do that?", told apart, become "Which did A do first, this or that?" """

    name: ClassVar[str] = "chronicle"
    question_type: ClassVar[str] = "multi_context"

    def plan(self, material: Material) -> Iterable[Scenario]:
        lives: dict[tuple[str, str, str], list[Stated]] = defaultdict(list)
        for one in dated(material):
            if one.fact.subject.kind in _NAMING:
                lives[(one.language, one.fact.subject.kind, normalise(one.fact.subject.text))].append(one)
        for events in lives.values():
            for a, b in combinations(events, 2):
                if a.chunk_id == b.chunk_id or not in_order(a, b):
                    continue
                worth = min(a.fact.trust, b.fact.trust) - _SAME_DOCUMENT * (a.fact.doc_id == b.fact.doc_id)
                yield scenario_of(material, self.name, self.question_type, (a, b), worth - 0.1, _FIRST)
                pair = apart(a, b)
                if pair:
                    yield scenario_of(material, self.name, self.question_type, pair, worth, _YEARS)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        return parents_of(material, [stated(material, fact_id, "time") for fact_id in scenario.path])

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        a, b = (stated(material, fact_id, "time") for fact_id in scenario.path)
        of = material, self.name, self.question_type, parents
        if scenario.slot == _YEARS:
            return between(*of, a, b)
        return choose(*of, a, b, a.words.first(a.fact, b.fact), "earliest")
