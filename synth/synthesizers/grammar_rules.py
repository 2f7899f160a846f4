"""Conditional questions without a model, from the sentences that lay something down."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from synth.grammar.conditionals import conditionals
from synth.records import Sample, Scenario, digest
from synth.writer import Material, Writer, Written, evidence_of, passage_at, priority, starts

JITTER = 0.03
"""How far the seed may move a question, in worth."""


class GrammarRules(Writer):
    """One scenario a conditional draft: its slot is the draft's place among those of its document."""

    name: ClassVar[str] = "grammar_rules"
    question_type: ClassVar[str] = "conditional"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for doc_id, reading in material.readings.items():
            for slot, draft in enumerate(conditionals(reading, material.drafts(doc_id))):
                scenario_id = "s-" + digest(self.name, doc_id, draft.question, draft.golden_answers)[:16]
                yield Scenario(
                    scenario_id=scenario_id,
                    synthesizer=self.name,
                    question_type=self.question_type,
                    chunk_ids=(passage_at(material, doc_id, draft.spans[-1][0]).chunk_id,),
                    language=reading.language,
                    seed=material.seed,
                    slot=slot,
                    worth=draft.worth - JITTER * priority(material.seed, scenario_id),
                    sentences=starts(doc_id, draft.spans),
                )

    def write(self, scenario: Scenario, material: Material) -> Written:
        doc_id = material.graph.chunk(scenario.chunk_ids[0]).doc_id
        draft = conditionals(material.readings[doc_id], material.drafts(doc_id))[scenario.slot]
        sample = Sample(
            question=draft.question,
            golden_answers=draft.golden_answers,
            evidence=evidence_of(material, doc_id, draft.spans),
            question_type=self.question_type,
            language=scenario.language,
            metadata={"source": "synthetic", "pattern": draft.pattern},
            provenance=material.provenance,
        )
        return Written((sample,))
