"""Across documents, by a bridge: what one passage names, another describes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.stated import JITTER, dated, simple, stated
from synth.grammar.composer import compositions
from synth.graph import KnowledgeGraph
from synth.records import Draft, Entity, Fact, Sample, Scenario, Step, Term, digest
from synth.text.normalise import holds, normalise
from synth.text.tokens import content_words
from synth.writer import Material, evidence_of, passage_at, priority, starts

_DESCRIPTIONS = 3
"""Facts by which one entity is described, the surest first."""

_QUESTIONS = 4
"""Questions about one entity that are composed, the best first."""

_COMMON = 0.1
"""Share of the passages from which on an entity is too common to be worth a description."""


_SURE = ("person", "place", "organisation")
"""Kinds of entity that a full name settles."""


class Compose(Evolution):
    """ "When was Robert Stevenson born?" becomes "When was the engineer who built the Bell Rock Lighthouse born?"

    The question is one on a document that names a thing; the description is a fact of another
    document about that thing, and about no other. The question is a draft of its document, whose number
    `slot` is, or asks when a fact came about, which the path then ends with; it begins with the describing
    fact and the entity.
    """

    name: ClassVar[str] = "compose"
    question_type: ClassVar[str] = "multi_context"

    def plan(self, material: Material) -> Iterable[Scenario]:
        bridges = _Bridges(material)
        for entity in material.graph.entities():
            for fact, description in bridges.descriptions(entity):
                for asked in bridges.questions(entity, fact, description):
                    yield self._scenario(material, entity, fact, asked)

    def _scenario(self, material: Material, entity: Entity, fact: Fact, asked: _Asked) -> Scenario:
        path = (fact.fact_id, entity.entity_id, *filter(None, [asked.fact_id]))
        scenario_id = "s-" + digest(self.name, path, asked.doc_id, asked.draft.question)[:16]
        passage = passage_at(material, asked.doc_id, asked.draft.spans[-1][0])
        told = passage_at(material, fact.doc_id, fact.spans[-1][0])
        return Scenario(
            scenario_id=scenario_id,
            synthesizer=self.name,
            question_type=self.question_type,
            chunk_ids=(passage.chunk_id, told.chunk_id),
            language=material.readings[asked.doc_id].language,
            seed=material.seed,
            slot=asked.slot,
            worth=min(asked.draft.worth, fact.trust) - JITTER * priority(material.seed, scenario_id),
            path=path,
            sentences=(*starts(asked.doc_id, asked.draft.spans), *starts(fact.doc_id, fact.spans)),
        )

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        if len(scenario.path) > 2:
            one = stated(material, scenario.path[2], "time")
            made = simple(material, one, one.words.when(one.fact))
            return (made,) if made else ()
        doc_id = material.graph.chunk(scenario.chunk_ids[0]).doc_id
        draft = material.drafts(doc_id)[scenario.slot]
        return (
            Sample(
                question=draft.question,
                golden_answers=draft.golden_answers,
                evidence=evidence_of(material, doc_id, draft.spans),
                question_type="simple",
                language=scenario.language,
                metadata={"source": "synthetic"},
                provenance=material.provenance,
            ),
        )

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        (parent,) = parents
        fact, entity = material.graph.fact(scenario.path[0]), material.graph.entity(scenario.path[1])
        words = compositions(scenario.language)
        term = _naming(fact, entity)
        name = _named(parent.question, entity)
        if words is None or term is None or name is None:
            return Eliminated("the two passages do not name the same thing")
        description = words.described(fact, term, _kind(material.graph, entity))
        if description is None or holds(parent.golden_answers[0], term.text) or holds(description, name):
            return Eliminated("the fact does not describe the thing without naming it")
        if holds(description, parent.golden_answers[0]):
            return Eliminated("the description gives the answer away")
        question = words.replaced(parent.question, name, description)
        if question is None:
            return Eliminated("the description does not fit into the question")
        told = evidence_of(material, fact.doc_id, fact.spans)
        steps = (
            Step(says=description, value=term.text, evidence=tuple(range(len(told)))),
            Step(
                says=parent.question,
                value=parent.golden_answers[0],
                evidence=tuple(range(len(told), len(told) + len(parent.evidence))),
                of=(0,),
            ),
        )
        return Sample(
            question=question,
            golden_answers=parent.golden_answers,
            evidence=(*told, *parent.evidence),
            question_type=self.question_type,
            language=parent.language,
            steps=steps,
            metadata={"source": "synthetic", "pattern": self.name},
            provenance=material.provenance,
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question that names a thing: a draft of a document, or when a fact of it came about."""

    doc_id: str
    slot: int
    fact_id: str
    draft: Draft


class _Bridges:
    """What is known of the entities of a graph, gathered once: descriptions that fit one thing, and questions."""

    def __init__(self, material: Material) -> None:
        self.material = material
        graph = material.graph
        self._passages = max(1, sum(1 for _ in graph.chunks()))
        self._told = Counter(told for fact in graph.facts() for told in _tellings(fact))
        self._asked: dict[str, list[_Asked]] = defaultdict(list)
        for asked in (*_drafted(material), *_dated(material)):
            for entity in _named_in(material, asked.doc_id, asked.draft):
                self._asked[entity.entity_id].append(asked)

    def descriptions(self, entity: Entity) -> list[tuple[Fact, str]]:
        """The surest facts that are about this entity and, said like that, about nothing else, and how they say it."""
        graph = self.material.graph
        if len(graph.sources(entity.entity_id, "mentions")) > max(3, _COMMON * self._passages):
            return []
        found = []
        for fact in graph.facts_about(entity.entity_id):
            term = _naming(fact, entity)
            if term is None or fact.negated or fact.modal or fact.qualifier("condition"):
                continue
            if fact.doc_id not in self.material.readings or _other(fact, term) is None:
                continue
            words = compositions(self.material.readings[fact.doc_id].language)
            if words is None or self._told[_telling(fact, term)] != 1:
                continue
            description = words.described(fact, term, _kind(graph, entity))
            if description is not None:
                found.append((fact, description))
        return sorted(found, key=lambda one: (-one[0].trust, one[0].fact_id))[:_DESCRIPTIONS]

    def questions(self, entity: Entity, fact: Fact, description: str) -> list[_Asked]:
        """The best questions of other documents than the fact's that name the entity, and no namesake of it.

        The description must have a place in them: "Who is Robert Stevenson?" has none.
        """
        words = compositions(self.material.readings[fact.doc_id].language)
        found = []
        for one in self._asked.get(entity.entity_id, []):
            name = _named(one.draft.question, entity)
            fits = name and words and words.replaced(one.draft.question, name, description)
            if one.doc_id != fact.doc_id and fits and self._same_thing(entity, fact, one.doc_id, one.draft):
                found.append(one)
        return sorted(found, key=lambda one: (-one.draft.worth, one.doc_id, one.slot, one.fact_id))[:_QUESTIONS]

    def _same_thing(self, entity: Entity, fact: Fact, doc_id: str, draft: Draft) -> bool:
        """Whether a passage that names what a fact is about means the same thing by it.

        Full names of people, places and organisations do. What else has a name ("The Pledge") shares it with
        others: the passage must call it what the fact calls it, or name something else that the fact names.
        """
        graph = self.material.graph
        if entity.kind == "code" or (entity.kind in _SURE and len(content_words(entity.name)) > 1):
            return True
        passage = graph.chunk(passage_at(self.material, doc_id, draft.spans[-1][0]).chunk_id).text
        own = set(content_words(entity.name))
        told = {word for word in content_words(_kind(graph, entity)) if word not in own}
        other = _other(fact, term) if (term := _naming(fact, entity)) else None
        told.update(word for word in content_words(other.text if other else "") if word not in own)
        return any(word in told for word in content_words(passage))


def _drafted(material: Material) -> Iterator[_Asked]:
    for doc_id in material.readings:
        for slot, draft in enumerate(material.drafts(doc_id)):
            yield _Asked(doc_id, slot, "", draft)


def _dated(material: Material) -> Iterator[_Asked]:
    """When facts came about: births and deaths in brackets have no draft."""
    for one in dated(material):
        question = one.words.when(one.fact)
        if question is not None:
            draft = Draft(
                question=question,
                golden_answers=(one.term.text,),
                spans=one.fact.spans,
                pattern="when",
                worth=one.fact.trust,
            )
            yield _Asked(one.fact.doc_id, 0, one.fact.fact_id, draft)


def _named_in(material: Material, doc_id: str, draft: Draft) -> Iterator[Entity]:
    """The entities of its passage that a question names and its answer does not."""
    chunk = passage_at(material, doc_id, draft.spans[-1][0])
    for entity in material.graph.entities_of(chunk.chunk_id):
        if _named(draft.question, entity) and not any(holds(answer, entity.name) for answer in draft.golden_answers):
            yield entity


def _named(question: str, entity: Entity) -> str | None:
    """The longest spelling of an entity that stands in a question as words of its own, once; or None."""
    for form in sorted(entity.surface_forms, key=lambda form: (-len(form), form)):
        edge = r"\b" if form[:1].isascii() and form[:1].isalnum() else ""
        close = r"\b" if form[-1:].isascii() and form[-1:].isalnum() else ""
        if len(re.findall(edge + re.escape(form) + close, question)) == 1:
            return form
    return None


def _naming(fact: Fact, entity: Entity) -> Term | None:
    """The part of a fact that names an entity."""
    forms = {normalise(form) for form in entity.surface_forms}
    return next((t for t in (fact.subject, fact.object) if t and _bare(normalise(t.text)) in forms), None)


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", name)


def _other(fact: Fact, term: Term) -> Term | None:
    return fact.object if term is fact.subject else fact.subject


def _telling(fact: Fact, term: Term) -> tuple[str, str, str]:
    """What a fact says of one of its terms, without naming it."""
    other = _other(fact, term)
    role = "subject" if term is fact.subject else "object"
    return role, fact.relation, normalise(other.text) if other else ""


def _tellings(fact: Fact) -> Iterator[tuple[str, str, str]]:
    return (_telling(fact, term) for term in (fact.subject, fact.object) if term)


def _kind(graph: KnowledgeGraph, entity: Entity) -> str:
    """What an entity is, by a fact that says so; else the kind of the entity where that is a noun."""
    said = Counter(
        fact.wording["type"]
        for fact in graph.facts_about(entity.entity_id)
        if "type" in fact.wording and _naming(fact, entity) is fact.subject
    )
    if said:
        return min(said, key=lambda kind: (-said[kind], kind))
    return entity.kind if entity.kind in ("person", "place", "organisation") else ""
