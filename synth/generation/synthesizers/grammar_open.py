"""Unanswerable questions without a model: likely questions on an entity that no passage answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from synth.core.records import UNANSWERABLE, Entity, Sample, Scenario, digest
from synth.generation.entity_kinds import surely
from synth.generation.retrieved_passages import passages_naming
from synth.generation.writer import Writer, WriterContext, Written, passage_at, priority
from synth.grammar.pack import Attribute
from synth.grammar.registry import pack_of
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified

JITTER = 0.2
"""Maximum change of worth by the seed. It is large, because the worth of these questions does not differ otherwise."""

_PASSAGES = 12
_WORTH = 0.6


class GrammarOpen(Writer):
    """Writer with one scenario per pair of an entity in a draft (question of the grammar) and an attribute of its kind.

    The slot of a scenario is the index of the attribute.
    """

    name: ClassVar[str] = "grammar_open"
    question_type: ClassVar[str] = UNANSWERABLE

    def plan(self, material: WriterContext) -> Iterable[Scenario]:
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

    def _scenario(self, material: WriterContext, chunk_id: str, entity_id: str, slot: int, language: str) -> Scenario:
        scenario_id = "s-" + digest(self.name, chunk_id, entity_id, slot)[:16]
        return Scenario(
            scenario_id=scenario_id,
            synthesizer=self.name,
            question_type=self.question_type,
            chunk_ids=(chunk_id,),
            language=language,
            slot=slot,
            worth=_WORTH - JITTER * priority(material.seed, scenario_id),
            path=(entity_id,),
        )

    def write(self, scenario: Scenario, material: WriterContext) -> Written:
        graph, language = material.graph, scenario.language
        if scenario.path[0] not in graph:  # documents read since then use the name as a short form
            return Written(given_up=(("unanswerable", "the name is a short form of another name"),))
        entity = graph.entity(scenario.path[0])
        one = _attributes(language)[scenario.slot]
        question = one.question.format(_called(entity.name, scenario, material))
        telling = re.compile(one.telling, 0 if is_chinese(language) else re.IGNORECASE)
        for passage in passages_naming(material, question, entity, _PASSAGES):
            if telling.search(to_simplified(passage.text)):
                return Written(given_up=(("unanswerable", f"a passage of '{passage.doc_id}' may contain the answer"),))
        nearest = [name for name, _ in material.corpus.index.top(question, 3)]
        return Written((unanswerable(question, language, self.name, nearest, material),))


def unanswerable(question: str, language: str, pattern: str, nearest: Iterable[str], material: WriterContext) -> Sample:
    """Return a row without an answer. `nearest` are the passages that look right but do not answer."""
    return Sample(
        question=question,
        golden_answers=(),
        evidence=(),
        question_type=UNANSWERABLE,
        language=language,
        metadata={"source": "synthetic", "pattern": pattern, "nearest": list(nearest)},
        provenance=material.provenance,
    )


def named(question: str, entity: Entity) -> str | None:
    """Return the longest name of an entity that occurs exactly once in a question as whole words, or None."""
    for form in sorted(entity.surface_forms, key=lambda form: (-len(form), form)):
        edges = [r"\b" if char.isascii() and char.isalnum() else "" for char in (form[:1], form[-1:])]
        if len(re.findall(edges[0] + re.escape(form) + edges[1], question)) == 1:
            return form
    return None


def _attributes(language: str) -> tuple[Attribute, ...]:
    pack = pack_of(language)
    return pack.attributes if pack else ()


def _called(name: str, scenario: Scenario, material: WriterContext) -> str:
    """Return a name with the article that the passage uses."""
    if is_chinese(scenario.language):
        return name
    text = material.corpus.chunk(scenario.chunk_ids[0]).text
    return f"the {name}" if re.search(rf"\bthe {re.escape(name)}\b", text, re.IGNORECASE) else name
