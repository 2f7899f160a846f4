"""Conditional questions without a model: what holds under a condition, and under which condition it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from synth.grammar.composer import compositions
from synth.grammar.compositions import Asked
from synth.records import Fact, Sample, Scenario, digest
from synth.writer import Material, Writer, Written, evidence_of, passage_at, priority, starts

JITTER = 0.03
"""How far the seed may move a fact, in worth."""

_ASKS = ("consequence", "condition")


class GrammarConditional(Writer):
    """One scenario a fact that holds under a condition and a way to ask: slot 0 sets it, slot 1 asks for it."""

    name: ClassVar[str] = "grammar_conditional"
    question_type: ClassVar[str] = "conditional"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for fact in material.graph.facts():
            if fact.qualifier("condition") is None or fact.doc_id not in material.readings:
                continue
            for slot in range(len(_ASKS)):
                scenario_id = "s-" + digest(self.name, fact.fact_id, slot)[:16]
                yield Scenario(
                    scenario_id=scenario_id,
                    synthesizer=self.name,
                    question_type=self.question_type,
                    chunk_ids=(passage_at(material, fact.doc_id, fact.spans[-1][0]).chunk_id,),
                    language=material.readings[fact.doc_id].language,
                    seed=material.seed,
                    slot=slot,
                    worth=fact.trust - 0.05 * slot - JITTER * priority(material.seed, scenario_id),
                    path=(fact.fact_id,),
                    sentences=starts(fact.doc_id, fact.spans),
                )

    def write(self, scenario: Scenario, material: Material) -> Written:
        fact = material.graph.fact(scenario.path[0])
        asked = _asked(fact, scenario)
        if asked is None:
            return Written(given_up=(("written", "the condition cannot be asked about in one question"),))
        sample = Sample(
            question=asked.question,
            golden_answers=(asked.answer,),
            evidence=evidence_of(material, fact.doc_id, fact.spans),
            question_type=self.question_type,
            language=scenario.language,
            metadata={"source": "synthetic", "pattern": _ASKS[scenario.slot]},
            provenance=material.provenance,
        )
        return Written((sample,))


def _asked(fact: Fact, scenario: Scenario) -> Asked | None:
    words = compositions(scenario.language)
    if words is None:
        return None
    return words.condition(fact) if scenario.slot else words.consequence(fact)
