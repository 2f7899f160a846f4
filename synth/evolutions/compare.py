"""Across documents, by comparison: two things that different documents tell of, put side by side."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.choosing import choose, parents_of
from synth.evolutions.interval import apart, between
from synth.evolutions.measure import alike, in_turn, reckoned
from synth.evolutions.order import in_order
from synth.evolutions.stated import Stated, dated, measured, same_subject, scenario_of, stated
from synth.records import Sample, Scenario, Term
from synth.text.dates import Date
from synth.text.normalise import normalise, to_simplified
from synth.writer import Material, priority

_PARTNERS = 2
"""Other facts with which a fact is compared: more would make a set of one fact's comparisons."""

_NEAR = 40
"""Facts of its relation and of one kind among which a fact finds its partners."""

_NEARER = 0.1
"""What each thing that two facts have in common adds to the worth of comparing them."""

_ANYBODY = frozenset(
    "person man woman member one son daughter child native 人 人物 成员 成員 儿子 兒子 女儿 女兒".split()
)
"""What may be said of anybody, so that it makes no two people alike."""

_ENDINGS = frozenset("学家 家 员 者 师 人员".split())
_WORD = 4

_EARLIER, _YEARS, _GREATER, _MORE = range(4)
"""What is asked of two facts: which is the earlier, the years between, which is the greater, by how much."""


class Compare(Evolution):
    """ "When was A built?" and "When was B built?", of two documents, become "Which was built first, A or B?"

    Facts are compared that have the same relation, and are about things of the same kind or topic; the lives of two
    people only where both are said to be the same: two directors, two bishops.
    """

    name: ClassVar[str] = "compare"
    question_type: ClassVar[str] = "multi_context"

    def plan(self, material: Material) -> Iterable[Scenario]:
        groups: dict[tuple[str, ...], list[Stated]] = defaultdict(list)
        for one in (*dated(material), *measured(material)):
            groups[(one.language, type(one.value).__name__, one.fact.relation)].append(one)
        callings = _callings(material)
        for group in groups.values():
            for a, b, nearness in _pairs(material, group, callings):
                worth = min(a.fact.trust, b.fact.trust) + nearness - 0.2
                choice, reckoning = (_EARLIER, _YEARS) if isinstance(a.value, Date) else (_GREATER, _MORE)
                yield scenario_of(material, self.name, self.question_type, (a, b), worth, choice)
                if reckoning == _MORE or apart(a, b):
                    yield scenario_of(material, self.name, self.question_type, (a, b), worth - 0.1, reckoning)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        return parents_of(material, _both(scenario, material))

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        a, b = _both(scenario, material)
        of = material, self.name, self.question_type, parents
        asked = scenario.slot
        if asked == _EARLIER:
            choice = a.words.first(a.fact, b.fact)
            return choose(*of, a, b, choice, "earliest")
        if asked == _YEARS:
            return between(*of, *(apart(a, b) or (a, b)))
        if asked == _GREATER:
            return choose(*of, a, b, a.words.more(a.fact, b.fact), "greatest")
        return reckoned(*of, a, b)


def _both(scenario: Scenario, material: Material) -> tuple[Stated, Stated]:
    value = "time" if scenario.slot in (_EARLIER, _YEARS) else "quantity"
    first, second = (stated(material, fact_id, value) for fact_id in scenario.path)
    return first, second


def _pairs(
    material: Material, group: list[Stated], callings: Mapping[str, set[str]]
) -> Iterator[tuple[Stated, Stated, float]]:
    """Each fact with the nearest of those of its kind that follow it in a stable shuffle, and how near they are."""
    shuffled = sorted(group, key=lambda one: priority(material.seed, one.fact.fact_id))
    kinds = [_kinds(material, one, callings) for one in shuffled]
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, named in enumerate(kinds):
        for kind in named:
            places[kind].append(place)
    for place, a in enumerate(shuffled):
        near = Counter(other for kind in kinds[place] for other in _following(places[kind], place))
        found = [other for other in sorted(near, key=lambda at: (-near[at], at)) if _comparable(a, shuffled[other])]
        for other in found[:_PARTNERS]:
            yield (*in_turn(a, shuffled[other]), _NEARER * near[other])


def _following(places: list[int], place: int) -> list[int]:
    after = bisect_right(places, place)
    return places[after : after + _NEAR]


def _kinds(material: Material, one: Stated, callings: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """What a fact has in common with those that it may be compared with: the kind of thing, the topic, what it names.

    Of a life it is what the person was: everybody was born.
    """
    subject, thing = one.fact.subject, one.fact.object
    named = [("name", normalise(term.text)) for term in (subject, thing) if term]
    if subject.kind == "person":
        return [*named, *(("calling", calling) for calling in sorted(callings[normalise(subject.text)]))]
    topic = material.graph.value(one.chunk_id, "category")
    return [*named, *([("topic", str(topic))] if topic else []), *([("head", subject.head)] if subject.head else [])]


def _comparable(a: Stated, b: Stated) -> bool:
    if a.fact.doc_id == b.fact.doc_id or same_subject(a, b) or a.fact.subject.kind != b.fact.subject.kind:
        return False
    return in_order(a, b) if isinstance(a.value, Date) else alike(a, b)


def _callings(material: Material) -> Mapping[str, set[str]]:
    """What people are said to be, by their names: "director", "bishop"; 运动员."""
    found: dict[str, set[str]] = defaultdict(set)
    for fact in material.graph.facts():
        what = fact.object
        if fact.relation in ("be", "是") and fact.subject.kind == "person" and what and not fact.negated:
            found[normalise(fact.subject.text)].add(_calling(what))
    return defaultdict(set, {name: heads - _ANYBODY for name, heads in found.items()})


def _calling(what: Term) -> str:
    """The noun at the heart of what somebody is; with what stands before it where it is but an ending: 植物学家."""
    head = what.head.casefold()
    return to_simplified(what.text)[-_WORD:] if to_simplified(head) in _ENDINGS else head
