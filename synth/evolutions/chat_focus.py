"""Where a chat model develops a question: a sentence in focus, and the simple question on it or beside it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from synth.grammar.composer import compositions
from synth.llm.base import Steps
from synth.plugins import discover, pick
from synth.records import Chunk, Draft, Sample, Scenario
from synth.text.orders import without_orders
from synth.text.prose import Sentence
from synth.text.tokens import count_tokens
from synth.writer import Material, Writer, Written, evidence_of, passage_at

_SIMPLE = "chat_simple"
_COSTLY = 0.7
"""What a sentence is worth whose simple question takes a call of its own, for one that has it for nothing."""

_BESIDE = 0.8
"""What a sentence is worth whose passage has the simple question, for one that has it itself."""

_SHORTEST, _LONGEST = 12, 400
"""Characters of a sentence that is asked about although the grammar found no question on it."""


@dataclass(frozen=True, slots=True)
class Focus:
    """A sentence, by its number in the reading of its document, its passage, and how promising it is.

    `draft` is the grammar's question on it; None where the parent is still to be written.
    """

    chunk: Chunk
    index: int
    sentence: Sentence
    worth: float
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class Drafts:
    """The drafts of a document by the sentence that they ask about, the best of each."""

    material: Material
    doc_id: str
    by_sentence: dict[int, Draft]

    @classmethod
    def of(cls, material: Material, doc_id: str) -> Drafts:
        """The drafts of a document; none in a language that the grammar does not know."""
        sentences = material.readings[doc_id].sentences
        starts = [sentence.start for sentence in sentences]
        found: dict[int, Draft] = {}
        for draft in material.drafts(doc_id):
            index = bisect_right(starts, draft.spans[-1][0]) - 1
            if index >= 0 and index not in found:
                found[index] = draft
        return cls(material, doc_id, found)

    def beside(self, index: int) -> Draft | None:
        """The best draft on a sentence or, where it has none, on another one of its passage."""
        if index in self.by_sentence:
            return self.by_sentence[index]
        sentences = self.material.readings[self.doc_id].sentences
        chunk = passage_at(self.material, self.doc_id, sentences[index].start)
        near = [
            (-draft.worth, abs(at - index), at)
            for at, draft in self.by_sentence.items()
            if chunk.start <= sentences[at].start < chunk.end
        ]
        return self.by_sentence[min(near)[2]] if near else None


def focuses(material: Material) -> Iterator[Focus]:
    """The sentences that have a simple question: a draft or, in passages without any, one that is worth a call."""
    simple = _simple()
    for doc_id, reading in material.readings.items():
        drafts = Drafts.of(material, doc_id).by_sentence
        asked = set()
        for index in sorted(drafts):
            sentence = reading.sentences[index]
            chunk = passage_at(material, doc_id, sentence.start)
            asked.add(chunk.chunk_id)
            yield Focus(chunk, index, sentence, drafts[index].worth, drafts[index])
        for scenario in simple.plan(replace(material, readings={doc_id: reading})):
            if scenario.chunk_ids[0] not in asked:
                chunk, sentence = material.graph.chunk(scenario.chunk_ids[0]), reading.sentences[scenario.slot]
                yield Focus(chunk, scenario.slot, sentence, _COSTLY * max(0.0, scenario.worth))


def focuses_where(material: Material, fits: Callable[[str], bool]) -> Iterator[Focus]:
    """The sentences that `fits` finds fitting, with the simple question on them or, for less, one beside them."""
    seen = set()
    for focus in focuses(material):
        if fits(focus.sentence.text):
            seen.add((focus.chunk.doc_id, focus.index))
            yield focus
    for doc_id, reading in material.readings.items():
        drafts = Drafts.of(material, doc_id)
        for index, sentence in enumerate(reading.sentences if drafts.by_sentence else ()):
            if (doc_id, index) in seen or not _whole(sentence.text) or not fits(sentence.text):
                continue
            draft = drafts.beside(index)
            if draft is not None:
                chunk = passage_at(material, doc_id, sentence.start)
                yield Focus(chunk, index, sentence, _BESIDE * draft.worth, draft)


def _whole(text: str) -> bool:
    return _SHORTEST <= len(text) <= _LONGEST and text.endswith((".", "。", "!", "！", ";", "；"))


def by_passage(found: Iterator[Focus]) -> dict[str, list[Focus]]:
    """Sentences by the passage that they stand in, the most promising first."""
    groups: dict[str, list[Focus]] = defaultdict(list)
    for one in found:
        groups[one.chunk.chunk_id].append(one)
    return {name: sorted(group, key=lambda one: (-one.worth, one.index)) for name, group in groups.items()}


def asked_already(scenario: Scenario, material: Material) -> Steps[tuple[Sample, ...]]:
    """The simple question on the sentence in focus: the grammar's, else one that the model is asked for."""
    chunk = material.graph.chunk(scenario.chunk_ids[0])
    draft = Drafts.of(material, chunk.doc_id).beside(scenario.slot)
    if draft is not None:
        return (drafted(material, chunk.doc_id, draft),)
    if (stated := next(_of_facts(material, chunk), None)) is not None:
        return (stated,)
    simple = replace(scenario, synthesizer=_SIMPLE, question_type="simple", chunk_ids=scenario.chunk_ids[:1], path=())
    written: Written = yield from _simple().write(simple, material)  # type: ignore[misc]
    return written.samples


def _of_facts(material: Material, chunk: Chunk) -> Iterator[Sample]:
    """The questions that the grammar can ask about the facts of a passage, the surest first."""
    language = material.readings[chunk.doc_id].language
    words = compositions(language)
    for fact in sorted(material.graph.facts_of(chunk.chunk_id), key=lambda fact: (-fact.trust, fact.fact_id)):
        for kind, value in (("time", fact.qualifier("time")), ("quantity", fact.qualifier("quantity"))):
            if words is None or value is None or fact.negated or fact.qualifier("condition"):
                continue
            question = words.when(fact) if kind == "time" else words.amount(fact)
            if question:
                yield Sample(
                    question=question,
                    golden_answers=(value.text,),
                    evidence=evidence_of(material, fact.doc_id, fact.spans),
                    question_type="simple",
                    language=language,
                    metadata={"source": "synthetic"},
                    provenance=material.provenance,
                )


def drafted(material: Material, doc_id: str, draft: Draft) -> Sample:
    """A draft as a sample."""
    return Sample(
        question=draft.question,
        golden_answers=draft.golden_answers,
        evidence=evidence_of(material, doc_id, draft.spans),
        question_type="simple",
        language=material.readings[doc_id].language,
        metadata={"source": "synthetic", "pattern": draft.pattern},
        provenance=material.provenance,
    )


def excerpt(material: Material, chunk: Chunk, index: int | None, tokens: int) -> str:
    """As much of a passage as `tokens` allow, whole sentences around the one in focus, or from its beginning.

    What speaks to language models is left out.
    """
    return without_orders(_excerpt(material, chunk, index, tokens))


def _excerpt(material: Material, chunk: Chunk, index: int | None, tokens: int) -> str:
    if count_tokens(chunk.text) <= tokens:
        return chunk.text
    text = material.graph.document(chunk.doc_id).text
    sentences = [s for s in material.readings[chunk.doc_id].sentences if chunk.start <= s.start and s.end <= chunk.end]
    if not sentences:
        return chunk.text[: 4 * tokens]
    focus = None if index is None else material.readings[chunk.doc_id].sentences[index]
    first = last = next((n for n, one in enumerate(sentences) if focus and one.start == focus.start), 0)
    while True:
        wider = [(a, b) for a, b in ((first, last + 1), (first - 1, last)) if a >= 0 and b < len(sentences)]
        wider.sort(key=lambda ends: ends[1] - last > last - first)
        fitting = [(a, b) for a, b in wider if count_tokens(text[sentences[a].start : sentences[b].end]) <= tokens]
        if not fitting:
            return text[sentences[first].start : sentences[last].end]
        first, last = fitting[0]


def _simple() -> Writer:
    return pick(discover("synth.synthesizers", Writer), _SIMPLE, "writer")()  # type: ignore[type-abstract]
