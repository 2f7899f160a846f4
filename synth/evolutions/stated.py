"""Facts as evolutions use them: with a value that can be reckoned with, and as simple questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from synth.grammar.composer import compositions
from synth.grammar.compositions import Compositions
from synth.records import Evidence, Fact, Sample, Scenario, Step, Term, digest
from synth.text.dates import Date, Period, read_date
from synth.text.markup import plain
from synth.text.normalise import holds, normalise
from synth.text.quantities import Quantity, read_quantity
from synth.writer import Material, evidence_of, passage_at, priority, starts

JITTER = 0.05
"""How far the seed may move a pair of facts, in worth."""

Value: TypeAlias = Date | Period | Quantity


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact with the value that it gives, where that value stands, and the passage that states it."""

    fact: Fact
    language: str
    chunk_id: str
    term: Term
    value: Value

    @property
    def words(self) -> Compositions:
        """The wording of the fact's language."""
        found = compositions(self.language)
        assert found is not None, "only languages with a grammar have facts"
        return found


def dated(material: Material) -> list[Stated]:
    """The facts of the documents at hand that happened at a date, in the order of their places."""
    return [one for fact in _facts(material) if (one := _valued(material, fact, "time"))]


def measured(material: Material) -> list[Stated]:
    """The facts of the documents at hand that give an exact quantity."""
    return [one for fact in _facts(material) if (one := _valued(material, fact, "quantity"))]


def lasted(material: Material) -> list[Stated]:
    """The facts of the documents at hand that went on from one date to another."""
    return [one for fact in _facts(material) if (one := _valued(material, fact, "span"))]


def stated(material: Material, fact_id: str, kind: str) -> Stated:
    """A fact by its id, with its value of a kind ("time", "span" or "quantity")."""
    found = _valued(material, material.graph.fact(fact_id), kind)
    assert found is not None, "a scenario names facts that have a value"
    return found


def _facts(material: Material) -> Iterator[Fact]:
    return (fact for fact in material.graph.facts() if fact.doc_id in material.readings and not fact.negated)


def _valued(material: Material, fact: Fact, kind: str) -> Stated | None:
    term = fact.qualifier("quantity" if kind == "quantity" else "time")
    language = material.readings[fact.doc_id].language
    if term is None or fact.qualifier("condition") or not _stands(material, fact, term):
        return None
    value = _read(kind, term.text, language)
    if value is None:
        return None
    return Stated(fact, language, passage_at(material, fact.doc_id, fact.spans[-1][0]).chunk_id, term, value)


def _read(kind: str, text: str, language: str) -> Value | None:
    if kind == "quantity":
        amount = read_quantity(text, language)
        return amount if amount and amount.exact else None
    date = read_date(text, language)
    if kind == "span":
        return date if isinstance(date, Period) and date.last else None
    return date if isinstance(date, Date) else None


def _stands(material: Material, fact: Fact, term: Term) -> bool:
    """Whether a value is written where it was read; the unit of a table may stand in the head of its column."""
    document = material.graph.document(fact.doc_id)
    markdown = document.metadata.get("format") == "markdown"
    return holds(plain(document.text[term.start : term.end], markdown=markdown).text, term.text)


def simple(material: Material, one: Stated, question: str | None) -> Sample | None:
    """The simple question that asks for the value of a fact."""
    if question is None:
        return None
    return Sample(
        question=question,
        golden_answers=(one.term.text,),
        evidence=evidence_of(material, one.fact.doc_id, one.fact.spans),
        question_type="simple",
        language=one.language,
        metadata={"source": "synthetic"},
        provenance=material.provenance,
    )


def child(
    material: Material,
    kind: str,
    pattern: str,
    question: str,
    steps: Sequence[Step],
    facts: Sequence[Fact],
    language: str,
) -> Sample:
    """A sample of several facts, whose steps number the pieces of `evidence_for` these facts."""
    return Sample(
        question=question,
        golden_answers=(steps[-1].value,),
        evidence=evidence_for(material, facts),
        question_type=kind,
        language=language,
        steps=tuple(steps),
        metadata={"source": "synthetic", "pattern": pattern},
        provenance=material.provenance,
    )


def evidence_for(material: Material, facts: Iterable[Fact]) -> tuple[Evidence, ...]:
    """The evidence of facts, each sentence once, in the order in which the facts need them."""
    found: dict[tuple[str, int, int], Evidence] = {}
    for fact in facts:
        for piece in evidence_of(material, fact.doc_id, fact.spans):
            found.setdefault((piece.doc_id, piece.start, piece.end), piece)
    return tuple(found.values())


def pieces(material: Material, facts: Sequence[Fact], one: Fact) -> tuple[int, ...]:
    """Which of the pieces of `evidence_for(material, facts)` prove one of the facts."""
    places = [(piece.doc_id, piece.start, piece.end) for piece in evidence_for(material, facts)]
    return tuple(places.index((one.doc_id, start, end)) for start, end in one.spans)


def said(one: Stated) -> str:
    """What a fact states, for a step that reads its value."""
    return one.fact.wording.get("statement", one.fact.subject.text)


def scenario_of(
    material: Material, writer: str, kind: str, facts: Sequence[Stated], worth: float, slot: int = 0
) -> Scenario:
    """The scenario of a writer on some facts."""
    path = tuple(one.fact.fact_id for one in facts)
    scenario_id = "s-" + digest(writer, path, slot)[:16]
    return Scenario(
        scenario_id=scenario_id,
        synthesizer=writer,
        question_type=kind,
        chunk_ids=tuple(dict.fromkeys(one.chunk_id for one in facts)),
        language=facts[0].language,
        seed=material.seed,
        slot=slot,
        worth=worth - JITTER * priority(material.seed, scenario_id),
        path=path,
        sentences=tuple(place for one in facts for place in starts(one.fact.doc_id, one.fact.spans)),
    )


def by_passage(found: Iterable[Stated]) -> dict[str, list[Stated]]:
    """Facts by the passage that states them."""
    groups: dict[str, list[Stated]] = defaultdict(list)
    for one in found:
        groups[one.chunk_id].append(one)
    return dict(groups)


def same_subject(a: Stated, b: Stated) -> bool:
    """Whether two facts are about the same thing."""
    return normalise(a.fact.subject.text) == normalise(b.fact.subject.text)


def related(a: Stated, b: Stated) -> bool:
    """Whether a person would think of the one when told of the other: one names what the other is about."""
    ours, theirs = ({normalise(term.text) for term in (one.fact.subject, one.fact.object) if term} for one in (a, b))
    return any(x in y or y in x for x in ours for y in theirs if min(len(x), len(y)) > 1)
