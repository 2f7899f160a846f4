"""Unanswerable questions without a model: good questions put to another thing, of which nothing like it is stated."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from synth.records import UNANSWERABLE, Draft, Entity, Sample, Scenario, digest
from synth.synthesizers.nearness import nearness, told_like
from synth.synthesizers.sure_kinds import surely
from synth.text.normalise import holds
from synth.text.tokens import content_words
from synth.writer import Material, Writer, Written, passage_at, priority

JITTER = 0.05
"""How far the seed may move a question, in worth."""

_OTHERS = 3
"""Things that one question is put to."""

_LOOKED_AT = 150
"""Things of a kind and topic among which these are found."""

_PASSAGES = 12
"""Passages, best by BM25, that are looked through for an answer."""

_SHORT = 3
"""Content words that a question may have beside the name, to be put to another thing."""

_ENDING = 2
"""Characters in which two Chinese names end alike, as those of two universities or lighthouses do."""

_STAGE = "unanswerable"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A draft that names an entity: where it is, and what of it."""

    doc_id: str
    slot: int
    draft: Draft
    entity: Entity


class GrammarUnanswerable(Writer):
    """ "When was the Kell lighthouse built?" is put to the Maro lighthouse, of which the corpus does not tell when.

    The other thing is of the same kind and topic, and one that good questions name. `slot` is the number of
    the draft in its document, the path the thing that it names and the other one.
    """

    name: ClassVar[str] = "grammar_unanswerable"
    question_type: ClassVar[str] = UNANSWERABLE

    def plan(self, material: Material) -> Iterable[Scenario]:
        asked = list(_asked(material))
        pools: dict[tuple[str, str], dict[str, Entity]] = defaultdict(dict)
        for one in asked:
            pools[material.readings[one.doc_id].language, one.entity.kind][one.entity.entity_id] = one.entity
        for one in asked:
            chunk = passage_at(material, one.doc_id, one.draft.spans[-1][0])
            language = material.readings[one.doc_id].language
            for other in self._others(one, chunk.chunk_id, pools[language, one.entity.kind], language, material):
                yield self._scenario(material, one, chunk.chunk_id, other.entity_id, _alike(one.entity, other))

    @staticmethod
    def _others(
        one: _Asked, chunk_id: str, pool: Mapping[str, Entity], language: str, material: Material
    ) -> Iterator[Entity]:
        """The things to which a question is put: those whose names end alike first, then those of its topic."""
        here = {entity.entity_id for entity in material.graph.entities_of(chunk_id)}
        topic = _topic(chunk_id, material)
        ranked = sorted(
            (-_alike(one.entity, other), priority(material.seed, one.draft.question, name), name)
            for name, other in list(pool.items())[:_LOOKED_AT]
            if name not in here and (_alike(one.entity, other) or topic in _topics(other, material))
        )
        fitting = (pool[name] for _, _, name in ranked if _fits(one.entity, pool[name], language, material))
        yield from islice(fitting, _OTHERS)

    def _scenario(self, material: Material, one: _Asked, chunk_id: str, other_id: str, likeness: float) -> Scenario:
        path = (one.entity.entity_id, other_id)
        scenario_id = "s-" + digest(self.name, one.doc_id, one.draft.question, path)[:16]
        return Scenario(
            scenario_id=scenario_id,
            synthesizer=self.name,
            question_type=self.question_type,
            chunk_ids=(chunk_id,),
            language=material.readings[one.doc_id].language,
            seed=material.seed,
            slot=one.slot,
            worth=max(0.0, one.draft.worth - 0.2 + 0.2 * likeness - JITTER * priority(material.seed, scenario_id)),
            path=path,
        )

    def write(self, scenario: Scenario, material: Material) -> Written:
        graph = material.graph
        chunk = graph.chunk(scenario.chunk_ids[0])
        draft = material.drafts(chunk.doc_id)[scenario.slot]
        entity, other = (graph.entity(entity_id) for entity_id in scenario.path)
        name = named(draft.question, entity)
        if name is None:
            return _none("the question does not name the thing")
        if any(
            fact.relation in _relations(draft, chunk.doc_id, entity, material)
            for fact in graph.facts_about(other.entity_id)
        ):
            return _none("the like is stated of the other thing")
        question = _put_to(draft.question, name, _called(other, material))
        if question is None:
            return _none("the other name does not fit where the first one stands")
        told = told_like(graph, question, other, _PASSAGES)
        if told:
            return _none(f"'{told}' speaks of what is asked")
        nearest = [name for name, _ in nearness(graph).top(question, 3)]
        return Written((unanswerable(question, scenario.language, self.name, nearest, material),))


def unanswerable(question: str, language: str, pattern: str, nearest: Iterable[str], material: Material) -> Sample:
    """A row without an answer; `nearest` are the passages that look right and do not answer."""
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
    """The longest spelling of an entity that stands in a question as words of its own, once; or None."""
    for form in sorted(entity.surface_forms, key=lambda form: (-len(form), form)):
        edges = [r"\b" if char.isascii() and char.isalnum() else "" for char in (form[:1], form[-1:])]
        if len(re.findall(edges[0] + re.escape(form) + edges[1], question)) == 1:
            return form
    return None


def _asked(material: Material) -> Iterator[_Asked]:
    """The drafts that name one thing of a kind, which is not a part of their answer."""
    for doc_id in material.readings:
        for slot, draft in enumerate(material.drafts(doc_id)):
            chunk = passage_at(material, doc_id, draft.spans[-1][0])
            found = [entity for entity in material.graph.entities_of(chunk.chunk_id) if named(draft.question, entity)]
            whole = [e for e in found if not any(e is not o and holds(o.name, e.name) for o in found)]
            if len(whole) == 1 and whole[0].kind and _general(draft, whole[0]):
                yield _Asked(doc_id, slot, draft, whole[0])


def _general(draft: Draft, entity: Entity) -> bool:
    """Whether a question, but for the name, can be asked of other things: it is short and takes nothing for granted."""
    name = named(draft.question, entity) or entity.name
    if any(holds(answer, entity.name) for answer in draft.golden_answers):
        return False
    if re.search(re.escape(name) + r"(?:['’]s\b|的)", draft.question):
        return False
    rest = draft.question.replace(name, " ")
    return len(content_words(rest)) <= _SHORT and not re.search(r"\d|(?<!^)\b[A-Z]|[《「“\"`]", rest)


def _put_to(question: str, name: str, other: str) -> str | None:
    """The question with another name, and its article, in the place of a name; None where words stand between them."""
    asked = re.sub(rf"(?:\bthe )?{re.escape(name)}", lambda _: other, question, count=1)
    return None if re.search(r"\b(?:the|an?) (?:[\w-]+ ){1,2}the\b", asked) else asked


def _fits(one: Entity, other: Entity, language: str, material: Material) -> bool:
    """Whether what is asked of a thing can be asked of another one: their names end alike, or their kind is sure."""
    return _alike(one, other) > 0 or all(
        surely(entity.kind, entity, language, material.graph) for entity in (one, other)
    )


def _topic(chunk_id: str, material: Material) -> str:
    return str(material.graph.value(chunk_id, "category") or "")


def _topics(entity: Entity, material: Material) -> set[str]:
    return {_topic(chunk_id, material) for chunk_id in material.graph.sources(entity.entity_id, "mentions")}


def _alike(one: Entity, other: Entity) -> float:
    """1 when two names of several words, or characters, end alike, as those of two lighthouses do; else 0."""
    a, b = one.name.casefold(), other.name.casefold()
    if a.isascii() or b.isascii():
        return float(" " in a and " " in b and a.split(" ")[-1] == b.split(" ")[-1])
    return float(min(len(a), len(b)) > _ENDING and a[-_ENDING:] == b[-_ENDING:])


def _called(entity: Entity, material: Material) -> str:
    """A name, with the article that texts give it more often than not."""
    votes = 0
    for mention in material.graph.mentions_of(entity.entity_id):
        text = material.graph.document(mention.doc_id).text
        votes += 1 if re.search(r"\bthe\s$", text[max(0, mention.start - 5) : mention.start], re.IGNORECASE) else -1
    return f"the {entity.name}" if votes > 0 else entity.name


def _relations(draft: Draft, doc_id: str, entity: Entity, material: Material) -> set[str]:
    """What the sentences that a draft asks about state of an entity."""
    return {
        fact.relation
        for fact in material.graph.facts_about(entity.entity_id)
        if fact.doc_id == doc_id and any(a < end and start < b for a, b in fact.spans for start, end in draft.spans)
    }


def _none(reason: str) -> Written:
    return Written(given_up=((_STAGE, reason),))
