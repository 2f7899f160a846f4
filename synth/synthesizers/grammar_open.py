"""Unanswerable questions without a model: what one would like to know of a thing, and no passage tells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from synth.records import UNANSWERABLE, Scenario, digest
from synth.synthesizers.grammar_unanswerable import named, unanswerable
from synth.synthesizers.nearness import nearness, passages_naming
from synth.synthesizers.sure_kinds import surely
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified, to_traditional
from synth.writer import Material, Writer, Written, passage_at, priority

JITTER = 0.2
"""How far the seed may move a question, in worth: all of them are put together alike."""

_PASSAGES = 12
_WORTH = 0.6


@dataclass(frozen=True, slots=True)
class _Attribute:
    """What is asked of things of a kind, and the words with which a passage would tell it."""

    kind: str
    question: str
    telling: str


_ENGLISH = (
    _Attribute("person", "Where was {} born?", r"\bborn\b|\bbirth|native|grew up|\bfrom\b"),
    _Attribute(
        "person", "At which university did {} study?", r"universit|college|school|stud[yi]|educat|degree|graduat"
    ),
    _Attribute("person", "Who were the parents of {}?", r"parent|father|mother|\bson\b|daughter|family|born"),
    _Attribute("place", "What is the population of {}?", r"populat|inhabit|people|resident|census|million"),
    _Attribute("place", "How large is the area of {}?", r"\barea\b|square|\bkm|acre|hectare|\bsq\b|size"),
    _Attribute("organisation", "Who founded {}?", r"found|establish|creat|form(?:ed|ation)|start|began|incorporat"),
    _Attribute("organisation", "How many people work for {}?", r"employ|staff|work|people|workforce|personnel"),
    _Attribute(
        "organisation",
        "In which city are the headquarters of {}?",
        r"headquarter|\bbased\b|locat|office|seat\b|\bin [A-Z]",
    ),
    _Attribute("work", "Who published {}?", r"publish|releas|press|issued|label|edition|distribut"),
)
_CHINESE = (
    _Attribute("person", "{}出生在哪里？", r"出生|生于|籍贯|人[，。、]|老家|故乡|原籍|祖籍"),
    _Attribute("person", "{}毕业于哪所大学？", r"毕业|大学|学院|就读|学校|求学|学士|硕士|博士|学历"),
    _Attribute("person", "{}的父母是谁？", r"父|母|儿子|女儿|之子|之女|出生|家庭"),
    _Attribute("place", "{}有多少人口？", r"人口|居民|居住|人[，。、]|普查|户"),
    _Attribute("place", "{}的面积有多大？", r"面积|平方|公顷|亩|公里"),
    _Attribute("organisation", "{}是由谁创办的？", r"创办|创立|创建|成立|建立|设立|发起|组建|前身|始建|创始"),
    _Attribute("organisation", "{}有多少名员工？", r"员工|职工|雇员|雇佣|人数|人员|名"),
    _Attribute("organisation", "{}的总部设在哪座城市？", r"总部|位于|设在|坐落|地处|办公|市"),
    _Attribute("work", "{}是由哪家公司发行的？", r"发行|出版|推出|发布|公司|上映"),
)


class GrammarOpen(Writer):
    """One scenario a thing that a good question names and an attribute of things of its kind, which is the slot."""

    name: ClassVar[str] = "grammar_open"
    question_type: ClassVar[str] = UNANSWERABLE

    def plan(self, material: Material) -> Iterable[Scenario]:
        seen = set()
        for doc_id, reading in material.readings.items():
            for draft in material.drafts(doc_id):
                chunk = passage_at(material, doc_id, draft.spans[-1][0])
                for entity in material.graph.entities_of(chunk.chunk_id):
                    if entity.entity_id in seen or named(draft.question, entity) is None:
                        continue
                    seen.add(entity.entity_id)
                    if not surely(entity.kind, entity, reading.language, material.graph):
                        continue
                    for slot, one in enumerate(_attributes(reading.language)):
                        if one.kind == entity.kind:
                            yield self._scenario(material, chunk.chunk_id, entity.entity_id, slot, reading.language)

    def _scenario(self, material: Material, chunk_id: str, entity_id: str, slot: int, language: str) -> Scenario:
        scenario_id = "s-" + digest(self.name, chunk_id, entity_id, slot)[:16]
        return Scenario(
            scenario_id=scenario_id,
            synthesizer=self.name,
            question_type=self.question_type,
            chunk_ids=(chunk_id,),
            language=language,
            seed=material.seed,
            slot=slot,
            worth=_WORTH - JITTER * priority(material.seed, scenario_id),
            path=(entity_id,),
        )

    def write(self, scenario: Scenario, material: Material) -> Written:
        graph, language = material.graph, scenario.language
        entity = graph.entity(scenario.path[0])
        one = _attributes(language)[scenario.slot]
        asked = to_traditional(one.question) if language == "zh-Hant" else one.question
        question = asked.format(_called(entity.name, scenario, material))
        telling = re.compile(one.telling, 0 if is_chinese(language) else re.IGNORECASE)
        for passage in passages_naming(graph, question, entity, _PASSAGES):
            if telling.search(to_simplified(passage.text)):
                return Written(given_up=(("unanswerable", f"a passage of '{passage.doc_id}' may tell"),))
        nearest = [name for name, _ in nearness(graph).top(question, 3)]
        return Written((unanswerable(question, language, self.name, nearest, material),))


def _attributes(language: str) -> tuple[_Attribute, ...]:
    if language == "en":
        return _ENGLISH
    return _CHINESE if is_chinese(language) else ()


def _called(name: str, scenario: Scenario, material: Material) -> str:
    """A name with the article that the passage gives it."""
    if is_chinese(scenario.language):
        return name
    text = material.graph.chunk(scenario.chunk_ids[0]).text
    return f"the {name}" if re.search(rf"\bthe {re.escape(name)}\b", text, re.IGNORECASE) else name
