"""In depth, by counting: from what a list holds to how many things it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.stated import JITTER, child
from synth.grammar.composer import compositions
from synth.records import Sample, Scenario, Step, digest
from synth.writer import Material, evidence_of, passage_at, priority, starts

_FEWEST = 3


class Count(Evolution):
    """ "Which fuels does the lamp burn?" becomes "How many fuels does the lamp burn?" """

    name: ClassVar[str] = "count"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for fact in material.graph.facts():
            if fact.doc_id not in material.readings or fact.object is None or fact.negated:
                continue
            language = material.readings[fact.doc_id].language
            words = compositions(language)
            if words is None or len(words.listed(fact) or ()) < _FEWEST:
                continue
            scenario_id = "s-" + digest(self.name, fact.fact_id)[:16]
            yield Scenario(
                scenario_id=scenario_id,
                synthesizer=self.name,
                question_type=self.question_type,
                chunk_ids=(passage_at(material, fact.doc_id, fact.spans[-1][0]).chunk_id,),
                language=language,
                seed=material.seed,
                worth=fact.trust - JITTER * priority(material.seed, scenario_id),
                path=(fact.fact_id,),
                sentences=starts(fact.doc_id, fact.spans),
            )

    def parents(self, scenario: Scenario, material: Material) -> tuple[Sample, ...]:
        fact, words = material.graph.fact(scenario.path[0]), compositions(scenario.language)
        question = words.what(fact) if words else None
        if question is None or fact.object is None:
            return ()
        return (
            Sample(
                question=question,
                golden_answers=(fact.object.text,),
                evidence=evidence_of(material, fact.doc_id, fact.spans),
                question_type="simple",
                language=scenario.language,
                metadata={"source": "synthetic"},
                provenance=material.provenance,
            ),
        )

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Sample | Eliminated:
        fact, words = material.graph.fact(scenario.path[0]), compositions(scenario.language)
        items = words.listed(fact) if words else None
        question = words.how_many(fact) if words else None
        if words is None or items is None or question is None or not parents:
            return Eliminated("the list cannot be asked about in one question")
        everything = tuple(range(len(fact.spans)))
        read = [Step(says=fact.relation, value=item, evidence=everything) for item in items]
        number = words.number(len(items))
        last = Step(says=question, value=number, operation="count", of=tuple(range(len(items))))
        return child(material, self.question_type, self.name, question, [*read, last], [fact], scenario.language)
