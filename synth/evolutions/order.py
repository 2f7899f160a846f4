"""In depth, by order in time: which of two things of one passage came first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.choosing import choose, parents_of
from synth.evolutions.stated import Stated, by_passage, dated, related, same_subject, scenario_of, stated
from synth.records import Sample, Scenario
from synth.text.dates import Date
from synth.writer import Material

_BEGUN = re.compile(
    r"\b(?:born|begin|begun|start|started|found|founded|establish|established|create|created|construct|constructed)\b"
    r"|出生|诞生|誕生|开工|開工|动工|動工|始建|奠基|成立|创立|創立|创建|創建|创办|創辦"
)
_ENDED = re.compile(
    r"\b(?:die|close|closed|end|ended|dissolve|dissolved|abolish|abolished|demolish|demolished|bury|buried)\b"
    r"|逝世|去世|病逝|关闭|關閉|停办|停辦|停运|停運|拆除|解散|撤销|撤銷|废除|廢除"
)


class Order(Evolution):
    """ "When did A happen?" and "When did B happen?" become "Which happened first, A or B?" """

    name: ClassVar[str] = "order"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(dated(material)).values():
            for a, b in combinations(group, 2):
                if in_order(a, b) and not _is_plain(a, b):
                    worth = min(a.fact.trust, b.fact.trust) - (0.1 if related(a, b) else 0.2)
                    yield scenario_of(material, self.name, self.question_type, (a, b), worth)

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        return parents_of(material, [stated(material, fact_id, "time") for fact_id in scenario.path])

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        a, b = (stated(material, fact_id, "time") for fact_id in scenario.path)
        return choose(material, self.name, self.question_type, parents, a, b, a.words.first(a.fact, b.fact), "earliest")


def _is_plain(a: Stated, b: Stated) -> bool:
    """Whether anybody knows which came first: a thing is begun before all else that happens to it, and ended last."""
    first, last = (a, b) if a.value.before(b.value) else (b, a)  # type: ignore[union-attr, arg-type]
    return same_subject(a, b) and bool(_BEGUN.search(first.fact.relation) or _ENDED.search(last.fact.relation))


def in_order(a: Stated, b: Stated) -> bool:
    """Whether it is certain that one of two dated facts came before the other."""
    return isinstance(a.value, Date) and isinstance(b.value, Date) and a.value.before(b.value) is not None
