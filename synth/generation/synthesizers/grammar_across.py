"""Questions over two passages without a model, such as a comparison of two things or of two lists."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from synth.core.records import Evidence, Sample, Scenario, digest
from synth.generation.writer import Writer, WriterContext, Written, evidence_of, passage_at, priority
from synth.grammar.registry import pack_of
from synth.grammar.structure.facts import Fact
from synth.grammar.structure.forms import StructureForms
from synth.text.normalise import to_taiwan
from synth.text.same_answer import gist

AHEAD = 8
"""Number of facts that are tried as the partner of a fact.

Facts are shuffled by the seed. The partners are the facts that follow.
"""

LEAST_SHARED = 2
MOST_ITEMS = 6
_DAY = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})")
_TWO = re.compile(r"\band\b|[和与與、,，]")
"""Words and marks that join two names into one. A question cannot name a third thing beside such a pair."""

_WORTHS = {"bridge": 0.84, "compared": 0.8, "shared": 0.78, "only": 0.76, "later": 0.76}
_JITTER = 0.05


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact and the document that states it."""

    doc_id: str
    fact: Fact


@dataclass(frozen=True, slots=True)
class Joined:
    """A question on two facts, and its answer."""

    pattern: str
    question: str
    answer: str
    first: Placed
    second: Placed
    items: int = 0


class GrammarAcross(Writer):
    """Writer with one scenario per pair of facts that one question can join.

    The facts are in two passages, mostly of two documents.
    """

    name: ClassVar[str] = "grammar_across"
    question_type: ClassVar[str] = "multi_context"

    def __init__(self) -> None:
        self._planned: dict[str, Joined] = {}

    def plan(self, material: WriterContext) -> Iterable[Scenario]:
        groups: dict[tuple[str, str], list[Placed]] = defaultdict(list)
        for doc_id, reading in material.readings.items():
            for fact in material.facts(doc_id):
                if fact.peers:
                    groups[reading.language, fact.peers].append(Placed(doc_id, fact))
        for (language, _), group in sorted(groups.items()):
            pack = pack_of(language)
            if pack is None or pack.structure is None or len(group) < 2:
                continue
            group.sort(key=lambda placed: priority(material.seed, placed.doc_id, placed.fact.thing))
            for joined in _joined(group, pack.structure.forms):
                scenario = self._scenario(joined, language, material)
                if len(set(scenario.chunk_ids)) > 1:
                    yield scenario
        yield from self._bridges(material)

    def _bridges(self, material: WriterContext) -> Iterator[Scenario]:
        """Yield scenarios that join a thing given as an answer in one document to its attribute in another document."""
        by_thing: dict[tuple[str, str], list[Placed]] = defaultdict(list)
        for doc_id, reading in material.readings.items():
            for fact in material.facts(doc_id):
                if fact.kind == "attribute" and not fact.items and fact.label:
                    by_thing[reading.language, gist(fact.thing)].append(Placed(doc_id, fact))
        for doc_id, reading in material.readings.items():
            pack = pack_of(reading.language)
            if pack is None or pack.structure is None:
                continue
            for fact in material.facts(doc_id):
                is_name = bool(fact.names) and _is_name(fact.answer)
                others = by_thing.get((reading.language, gist(fact.answer)), []) if is_name else []
                for other in others:
                    if other.doc_id != doc_id and not other.fact.names.startswith(fact.names):
                        question = _bridge(fact, other.fact, pack.structure.forms)
                        if question:
                            joined = Joined("bridge", question, other.fact.answer, Placed(doc_id, fact), other)
                            yield self._scenario(joined, reading.language, material)

    def _scenario(self, joined: Joined, language: str, material: WriterContext) -> Scenario:
        chunk_ids = tuple(
            passage_at(material, placed.doc_id, placed.fact.spans[-1][0]).chunk_id
            for placed in (joined.first, joined.second)
        )
        scenario_id = "s-" + digest(self.name, joined.question, joined.answer)[:16]
        self._planned[scenario_id] = joined
        return Scenario(
            scenario_id=scenario_id,
            synthesizer=self.name,
            question_type=self.question_type,
            chunk_ids=chunk_ids,
            language=language,
            worth=_WORTHS[joined.pattern] - _JITTER * priority(material.seed, scenario_id),
            sentences=tuple((placed.doc_id, placed.fact.spans[-1][0]) for placed in (joined.first, joined.second)),
            pattern=joined.pattern,
        )

    def write(self, scenario: Scenario, material: WriterContext) -> Written:
        joined = self._planned[scenario.scenario_id]
        question = to_taiwan(joined.question) if scenario.language == "zh-Hant" else joined.question
        sides = [(placed.doc_id, placed.fact) for placed in (joined.first, joined.second)]
        evidence: list[Evidence] = []
        for doc_id, fact in sides:
            title = (fact.title,) if fact.title and fact.title not in fact.spans else ()
            evidence.extend(evidence_of(material, doc_id, (*title, *fact.spans)))
        metadata: dict[str, object] = {
            "source": "synthetic",
            "pattern": joined.pattern,
            "path": [{"document": doc_id, "thing": fact.thing, "label": fact.label} for doc_id, fact in sides],
        }
        if joined.items:
            metadata["items"] = joined.items
        sample = Sample(
            question=question[:1].upper() + question[1:],
            golden_answers=(joined.answer,),
            evidence=tuple(evidence),
            question_type=self.question_type,
            language=scenario.language,
            metadata=metadata,
            provenance=material.provenance,
        )
        return Written((sample,))


def _bridge(first: Fact, second: Fact, forms: StructureForms) -> str:
    """Return a question about a thing. The answer of `first` is the thing, and `second` states the attribute.

    The result is "" if the label of the attribute is not a noun.
    """
    if second.unit == "number" and forms.has("countable", second.label):
        sort = "bridge_count"
    elif forms.is_attribute(second.label):
        sort = forms.sort("bridge", second.label, is_number=bool(second.amount))
    else:
        return ""
    return forms.ask(forms.frame(sort, first.names, second.label), second.label, names=first.names)


def _is_name(answer: str) -> bool:
    """Return whether an answer names one thing in any context: "MV Avocet" does, "First" does not."""
    if answer.isascii():
        return len(answer.split()) >= 2 and not answer.islower()
    return len(answer) >= 3


def _joined(group: Sequence[Placed], forms: StructureForms) -> Iterator[Joined]:
    """Yield the questions that join two facts of a group. Each fact is paired with the first one that fits."""
    for place, first in enumerate(group):
        for second in islice(group, place + 1, place + 1 + AHEAD):
            alone = first.doc_id == second.doc_id and not first.fact.named
            joins = first.fact.named and (_TWO.search(first.fact.thing) or _TWO.search(second.fact.thing))
            if alone or joins or _overlap(first.fact.thing, second.fact.thing):
                continue
            joined = _compared(first, second, forms) or _lists(first, second, forms) or _later(first, second, forms)
            if joined:
                yield joined
                break


def _overlap(first: str, second: str) -> bool:
    a, b = first.casefold(), second.casefold()
    return not a or not b or a in b or b in a


def _compared(first: Placed, second: Placed, forms: StructureForms) -> Joined | None:
    """Return a question that asks which of two things has the larger number.

    None if a number is missing, or if units differ or numbers are equal.
    """
    a, b = first.fact, second.fact
    if not (a.amount and b.amount) or a.unit != b.unit or a.number == b.number:
        return None
    sort = a.peers.split(" ", 1)[0]
    frames = {"amount": "amount_more", "year": "year_more"}
    name = frames.get(sort, "more")
    more = a if a.number > b.number else b
    year = a.peers.split(" ")[1] if sort == "year" else ""
    question = forms.frame(name, a.thing, b.thing, a.label).format(
        a=a.thing, b=b.thing, label=a.label, year=year, basis=a.peers.split(" ")[1]
    )
    return Joined("compared", question, more.thing, first, second)


def _lists(first: Placed, second: Placed, forms: StructureForms) -> Joined | None:
    """Return a question that asks what two lists share, or what only the first contains; None if neither fits."""
    a, b = first.fact, second.fact
    if not a.items or not b.items or a.kind != "list":
        return None
    theirs = {gist(item): item for item in b.items}
    shared = [item for item in a.items if gist(item) in theirs]
    only = [item for item in a.items if gist(item) not in theirs]
    if not LEAST_SHARED <= len(shared) <= MOST_ITEMS:
        return None
    joint, label = forms.words["items"], a.label.casefold()
    if priority(0, a.thing, b.thing) < 0.5 or not 1 <= len(only) <= MOST_ITEMS:
        question = forms.frame("shared", a.thing, b.thing).format(a=a.thing, b=b.thing, label=label)
        return Joined("shared", question, joint.join(shared), first, second, len(shared))
    question = forms.frame("only", a.thing, b.thing).format(a=a.thing, b=b.thing, label=label)
    return Joined("only", question, joint.join(only), first, second, len(only))


def _later(first: Placed, second: Placed, forms: StructureForms) -> Joined | None:
    """Return a question that asks which of two named things has the later date; None if a date is missing or equal."""
    a, b = first.fact, second.fact
    if not (a.named and forms.has("when_label", a.label)):
        return None
    dates = [tuple(map(int, match.groups())) for match in map(_DAY.match, (a.answer, b.answer)) if match]
    if len(dates) < 2 or dates[0] == dates[1]:
        return None
    later = a if dates[0] > dates[1] else b
    question = forms.frame("later", a.thing, b.thing, a.label).format(a=a.thing, b=b.thing, label=a.label)
    return Joined("later", question, later.thing, first, second)
