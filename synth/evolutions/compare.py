"""Across documents, by comparison: two things that different documents tell of, put side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.choosing import choose, parents_of
from synth.evolutions.interval import apart, between
from synth.evolutions.measure import alike, in_turn, reckoned
from synth.evolutions.order import in_order
from synth.evolutions.stated import Stated, dated, measured, related, same_subject, scenario_of, stated
from synth.grammar.compositions import Choice
from synth.records import Sample, Scenario, Term
from synth.text.dates import Date
from synth.text.normalise import normalise, to_simplified
from synth.writer import Material, priority

_PARTNERS = 2
"""Other facts with which a fact is compared: more would make a set of one fact's comparisons."""

_NEAR = 40
"""Facts of its relation among which a fact finds its partners."""

_ANYBODY = frozenset(
    "person man woman member one son daughter child native 人 人物 成员 成員 儿子 兒子 女儿 女兒".split()
)
"""What may be said of anybody, so that it makes no two people alike."""

_ENDINGS = frozenset("学家 家 员 者 师 人员".split())
_WORD = 4

_EARLIER, _YEARS, _GREATER, _MORE = range(4)
"""What is asked of two facts: which is the earlier, the years between, which is the greater, by how much."""

_UNRELATED = "nobody would think of the one event when told of the other"


class Compare(Evolution):
    """ "When was A built?" and "When was B built?", of two documents, become "Which was built first, A or B?"

    Facts are compared that have the same relation, and are about things of the same kind or topic; the lives of two
    people only where both are said to be the same: two directors, two bishops.
    """

    name: ClassVar[str] = "compare"
    author: ClassVar[str] = "grammar"
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
            if choice and not (_rivals(choice, a, b) or _akin(material, a, b)):
                return Eliminated(_UNRELATED)
            return choose(*of, a, b, choice, "earliest")
        if asked == _YEARS and not _akin(material, a, b):
            return Eliminated(_UNRELATED)
        if asked == _YEARS:
            return between(*of, *(apart(a, b) or (a, b)))
        if asked == _GREATER:
            return choose(*of, a, b, a.words.more(a.fact, b.fact), "greatest")
        return reckoned(*of, a, b)


def _rivals(choice: Choice, a: Stated, b: Stated) -> bool:
    """Whether two things are put side by side, and not two events that have nothing else in common."""
    things = {normalise(term.text) for one in (a, b) for term in (one.fact.subject, one.fact.object) if term}
    return all(normalise(option) in things for option in choice.options)


def _akin(material: Material, a: Stated, b: Stated) -> bool:
    """Whether one would think of the one event when told of the other."""
    return related(a, b) or _nearness(material, a, b) > 0


def _both(scenario: Scenario, material: Material) -> tuple[Stated, Stated]:
    value = "time" if scenario.slot in (_EARLIER, _YEARS) else "quantity"
    first, second = (stated(material, fact_id, value) for fact_id in scenario.path)
    return first, second


def _pairs(
    material: Material, group: list[Stated], callings: Mapping[str, set[str]]
) -> Iterator[tuple[Stated, Stated, float]]:
    """Each fact with the nearest of the facts that follow it in a stable shuffle, and how near they are."""
    shuffled = sorted(group, key=lambda one: priority(material.seed, one.fact.fact_id))
    for place, a in enumerate(shuffled):
        near = [b for b in shuffled[place + 1 : place + 1 + _NEAR] if _comparable(a, b, callings)]
        near.sort(key=lambda b: -_nearness(material, a, b))
        for b in near[:_PARTNERS]:
            yield (*in_turn(a, b), _nearness(material, a, b))


def _comparable(a: Stated, b: Stated, callings: Mapping[str, set[str]]) -> bool:
    one, other = a.fact.subject, b.fact.subject
    if a.fact.doc_id == b.fact.doc_id or same_subject(a, b) or one.kind != other.kind:
        return False
    if one.kind == "person" and not (callings[normalise(one.text)] & callings[normalise(other.text)] or related(a, b)):
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


def _nearness(material: Material, a: Stated, b: Stated) -> float:
    """How much two things are of a kind: the same noun, the same topic."""
    topics = [material.graph.value(one.chunk_id, "category") for one in (a, b)]
    heads = [one.fact.subject.head for one in (a, b)]
    return 0.1 * bool(topics[0] and topics[0] == topics[1]) + 0.1 * bool(heads[0] and heads[0] == heads[1])
