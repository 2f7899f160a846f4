"""Questions on one document without a model: the drafts of the grammar, best first and spread over the documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import ClassVar

from synth.core.records import Chunk, Draft, Sample, Scenario, digest
from synth.generation.retrieved_passages import rival_passages
from synth.generation.writer import Writer, WriterContext, Written, evidence_of, passage_at, priority, starts
from synth.text.same_answer import gist

JITTER = 0.03
"""Maximum change of a draft's worth by the seed. It is small, so that another seed gives another set but no worse one.
"""


ALIKE_STEP = 0.04
"""Amount that a draft loses in worth for each better draft of the same construction in its document."""


class GrammarWriter(Writer):
    """Writer with one scenario per draft of its question type. A draft is a question that the grammar wrote.

    The slot of a scenario is the index of the draft in its document. A question is left out if two passages answer it
    differently, for example about two people with the same name, or about two versions. If several documents contain
    the same passage word for word, only the draft of the first document is used. That draft is left out too if its
    question names the document or is conditional. A draft with the worth 0 is never used. It only serves to show that a
    question has another answer.
    """

    def plan(self, material: WriterContext) -> Iterable[Scenario]:
        answers = _answers(material)
        repeats = _repeats(material)
        for doc_id, reading in material.readings.items():
            alike: Counter[str] = Counter()
            for worth, scenario_id, slot, draft in self._best_first(material, doc_id):
                if len(answers[draft.question.casefold()]) > 1:
                    continue
                asked = repeats[_passage(material, doc_id, draft)]
                if len(asked) > 1 and self.question_type == "conditional":
                    continue  # the case arises in several procedures
                if doc_id != next(iter(asked)) or any(draft.question not in others for others in asked.values()):
                    continue
                better = alike[draft.pattern]
                alike[draft.pattern] += 1
                chunk = passage_at(material, doc_id, draft.spans[0][0])
                yield Scenario(
                    scenario_id=scenario_id,
                    synthesizer=self.name,
                    question_type=self.question_type,
                    chunk_ids=(chunk.chunk_id,),
                    language=reading.language,
                    slot=slot,
                    worth=max(0.0, worth - ALIKE_STEP * better),
                    sentences=starts(doc_id, draft.spans[-1:]),
                    pattern=draft.pattern,
                )

    def _best_first(self, material: WriterContext, doc_id: str) -> list[tuple[float, str, int, Draft]]:
        """Return (worth, scenario id, slot, draft) for the drafts of a document, best first.

        The seed changes the worth slightly. So each seed picks other entries of a glossary, for example.
        """
        drafts = (
            ("s-" + digest(self.name, doc_id, draft.question, draft.golden_answers)[:16], slot, draft)
            for slot, draft in enumerate(material.drafts(doc_id))
            if draft.worth and draft.question_type == self.question_type
        )
        valued = [
            (draft.worth - JITTER * priority(material.seed, scenario_id), scenario_id, slot, draft)
            for scenario_id, slot, draft in drafts
        ]
        return sorted(valued, key=lambda row: (-row[0], row[2]))

    def write(self, scenario: Scenario, material: WriterContext) -> Written:
        doc_id = material.corpus.chunk(scenario.chunk_ids[0]).doc_id
        draft = material.drafts(doc_id)[scenario.slot]
        for rival in rival_passages(material, draft.question, scenario.chunk_ids[0]):
            if conflict := _conflict(draft, _passage(material, doc_id, draft), rival, material):
                return Written(given_up=(("rival", conflict),))
        sample = Sample(
            question=draft.question,
            golden_answers=draft.golden_answers,
            evidence=evidence_of(material, doc_id, draft.spans),
            question_type=self.question_type,
            language=scenario.language,
            metadata=metadata_of(draft),
            provenance=material.provenance,
        )
        return Written((sample,))


class GrammarSimple(GrammarWriter):
    """Simple questions on what a sentence, a list, a table or a heading states."""

    name: ClassVar[str] = "grammar_simple"
    question_type: ClassVar[str] = "simple"


class GrammarConditional(GrammarWriter):
    """Conditional questions on what follows from the condition of a rule."""

    name: ClassVar[str] = "grammar_conditional"
    question_type: ClassVar[str] = "conditional"


class GrammarReasoning(GrammarWriter):
    """Reasoning questions: a case that a rule covers, or a comparison or calculation within one place."""

    name: ClassVar[str] = "grammar_reasoning"
    question_type: ClassVar[str] = "reasoning"


def metadata_of(draft: Draft) -> dict[str, object]:
    """Return the metadata of a row: its construction, and how its answer is formed."""
    more = {"items": draft.items, "reckoning": draft.reckoning}
    return {"source": "synthetic", "pattern": draft.pattern, **{name: value for name, value in more.items() if value}}


def _conflict(draft: Draft, passage: tuple[str, str], rival: Chunk, material: WriterContext) -> str:
    """Return the reason why a passage of another document rules out a draft, or ""."""
    others = material.passage_drafts(rival)
    answer = gist(draft.golden_answers[0])
    for other in others:
        if other.question.casefold() == draft.question.casefold() and gist(other.golden_answers[0]) != answer:
            return f"'{rival.doc_id}' answers the same question with '{other.golden_answers[0]}'"
    on_passage = [other.question for other in others if _passage(material, rival.doc_id, other) == passage]
    if on_passage and draft.question_type == "conditional":
        return f"'{rival.doc_id}' contains the same condition"
    if on_passage and draft.question not in on_passage:
        return f"'{rival.doc_id}' contains the same passage, but the question names only one of the two documents"
    return ""


def _answers(material: WriterContext) -> Mapping[str, set[str]]:
    """Return the answers that the drafts of the corpus give to each question."""
    found: dict[str, set[str]] = defaultdict(set)
    for doc_id in material.readings:
        for draft in material.drafts(doc_id):
            found[draft.question.casefold()].add(gist(draft.golden_answers[0]))
    return found


def _repeats(material: WriterContext) -> Mapping[tuple[str, str], dict[str, set[str]]]:
    """Return the questions of each document, by construction and passage."""
    found: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for doc_id in material.readings:
        for draft in material.drafts(doc_id):
            found[_passage(material, doc_id, draft)][doc_id].add(draft.question)
    return found


def _passage(material: WriterContext, doc_id: str, draft: Draft) -> tuple[str, str]:
    """Return the construction of a draft, and the words of the passage that answers it."""
    text = material.corpus.document(doc_id).text[slice(*draft.spans[-1])]
    return draft.pattern, " ".join(text.split())
