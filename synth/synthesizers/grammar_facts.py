"""Simple questions without a model that ask for a part of a fact: when, how much, what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from synth.grammar.composer import compositions
from synth.records import Fact, Sample, Scenario, digest
from synth.text.dates import Date, read_date
from synth.text.quantities import read_quantity
from synth.writer import Material, Writer, Written, evidence_of, passage_at, priority, starts

JITTER = 0.03
"""How far the seed may move a fact, in worth."""

BELOW = {"when": 0.2, "amount": 0.2, "what": 0.4}
"""How much less such a question is worth than a draft of the author that is as sure: it reads less freely."""

_ASKS = tuple(BELOW)
_PREPOSITION = re.compile(r" (?:in|on|at|to|from|of|for|with|by|as|into|along|over|under|between|after|before)$")


class GrammarFacts(Writer):
    """One scenario a fact and a part of it that can be asked for; the slot is the place in `_ASKS`."""

    name: ClassVar[str] = "grammar_facts"
    question_type: ClassVar[str] = "simple"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for fact in material.graph.facts():
            if fact.doc_id not in material.readings or fact.qualifier("condition"):
                continue
            language = material.readings[fact.doc_id].language
            for slot, ask in enumerate(_ASKS):
                if _asked_for(fact, ask, language) is None:
                    continue
                scenario_id = "s-" + digest(self.name, fact.fact_id, slot)[:16]
                yield Scenario(
                    scenario_id=scenario_id,
                    synthesizer=self.name,
                    question_type=self.question_type,
                    chunk_ids=(passage_at(material, fact.doc_id, fact.spans[-1][0]).chunk_id,),
                    language=language,
                    seed=material.seed,
                    slot=slot,
                    worth=fact.trust - BELOW[ask] - JITTER * priority(material.seed, scenario_id),
                    path=(fact.fact_id,),
                    sentences=starts(fact.doc_id, fact.spans),
                )

    def write(self, scenario: Scenario, material: Material) -> Written:
        fact, ask = material.graph.fact(scenario.path[0]), _ASKS[scenario.slot]
        words = compositions(scenario.language)
        question = getattr(words, ask)(fact) if words else None
        answer = _asked_for(fact, ask, scenario.language)
        if question is None or answer is None:
            return Written(given_up=(("written", "the fact cannot be asked about in one question"),))
        sample = Sample(
            question=question,
            golden_answers=(answer,),
            evidence=evidence_of(material, fact.doc_id, fact.spans),
            question_type=self.question_type,
            language=scenario.language,
            metadata={"source": "synthetic", "pattern": f"fact: {ask}"},
            provenance=material.provenance,
        )
        return Written((sample,))


def _asked_for(fact: Fact, ask: str, language: str) -> str | None:
    """The part of a fact that answers: a date, an exact amount, a named thing; None when it has none."""
    if ask == "what":
        named = fact.subject.kind and fact.object and fact.object.kind and not _PREPOSITION.search(fact.relation)
        return fact.object.text if fact.object and named else None
    term = fact.qualifier("time" if ask == "when" else "quantity")
    if term is None:
        return None
    if ask == "when":
        return term.text if isinstance(read_date(term.text, language), Date) else None
    amount = read_quantity(term.text, language)
    return term.text if amount and amount.exact else None
