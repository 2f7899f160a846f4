"""What the operators of the chat author share: one call for a child, and nothing believed that is not proved."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from synth.derivation import CHOOSING, OPERATIONS, READ, equal, fault, stands
from synth.evolutions.base import Eliminated, Evolution
from synth.evolutions.chat_focus import Focus, asked_already, excerpt
from synth.evolutions.chat_proof import Proof, prove
from synth.llm.base import Request, RequestFailed, Steps
from synth.records import Sample, Scenario, Step, digest
from synth.text.normalise import collapse_space, holds, normalise
from synth.text.said import bare, finished
from synth.writer import Material, Written, priority

PASSAGE_TOKENS = 700
"""Tokens of document text in one request, by the estimate of `synth.text.tokens`."""

JITTER = 0.1
"""Share of its worth by which the seed may move a scenario: what a model makes of a sentence is only guessed."""

AFTER_ALL_ELSE = 0.1
"""Worth of the best place to develop one simple question into another: asking of a fresh sentence is cheaper."""

INFER = "infer"
"""The operation that nobody can recompute: cause, consequence, classification. A judge must confirm it."""

_ARTICLE = re.compile(r"^(?:the|an?) ")
_UNUSABLE = frozenset(("unparsable", "truncated", "refused", "empty"))


class ChatEvolution(Evolution):
    """An operator whose child a chat model writes, in one call, with the steps that prove it.

    The scenario's `slot` is the number of the sentence in focus, in the first of its passages.
    """

    author: ClassVar[str] = "chat"

    @property
    def prompt(self) -> str:
        """The name of the operator's prompt."""
        return f"evolutions/{self.name.removeprefix('chat_')}"

    def write(self, scenario: Scenario, material: Material) -> Steps[Written]:
        """As of every operator; what the grammar wrote for nothing is no row of the chat author's."""
        written = yield from super().write(scenario, material)
        return replace(written, spare=tuple(one for one in written.spare if "prompts" in one.provenance))

    def parents(self, scenario: Scenario, material: Material) -> Steps[tuple[Sample, ...]]:
        return (yield from asked_already(scenario, material))

    def evolve(self, parents: tuple[Sample, ...], scenario: Scenario, material: Material) -> Steps[Sample | Eliminated]:
        if not parents:
            return Eliminated("there is no simple question to begin with")
        prompt = material.prompt(self.prompt, scenario.language)
        request = Request.of(prompt, self.values(parents, scenario, material), purpose=self.prompt)
        try:
            completion = yield request
        except RequestFailed as failure:
            if failure.kind not in _UNUSABLE:
                raise
            return Eliminated(f"the model gave no reply that can be used: {failure}")
        child = self._child(completion.data, parents, scenario, material)
        if isinstance(child, Eliminated):
            return child
        return replace(child, provenance={**material.provenance, "prompts": {self.prompt: prompt.label}})

    def values(self, parents: Sequence[Sample], scenario: Scenario, material: Material) -> dict[str, str]:
        """What the prompt is filled in with."""
        chunk = material.graph.chunk(scenario.chunk_ids[0])
        sentence = material.readings[chunk.doc_id].sentences[scenario.slot]
        title = material.graph.document(chunk.doc_id).title
        return {
            "title": collapse_space(" / ".join(dict.fromkeys(filter(None, [title, *sentence.headings])))),
            "passage": excerpt(material, chunk, scenario.slot, PASSAGE_TOKENS),
            "known": known(parents),
        }

    @abstractmethod
    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        """The steps of the child, the last of which yields the answer, out of those that read."""

    def _child(
        self, reply: Mapping[str, Any], parents: Sequence[Sample], scenario: Scenario, material: Material
    ) -> Sample | Eliminated:
        question, answer = finished(reply["question"], scenario.language), bare(reply["answer"])
        if not normalise(question) or not normalise(answer):
            return Eliminated("the question or the answer is empty")
        chunks = [material.graph.chunk(chunk_id) for chunk_id in scenario.chunk_ids]
        proof = prove(reply["steps"], chunks, material)
        if isinstance(proof, Eliminated):
            return proof
        steps = self.chain(proof, reply, answer, scenario.language)
        if isinstance(steps, Eliminated):
            return steps
        child = Sample(
            question=question,
            golden_answers=(answer,),
            evidence=proof.evidence,
            question_type=self.question_type,
            language=scenario.language,
            steps=steps if len(steps) > 1 else (),
            metadata={"source": "synthetic"},
        )
        return next((same for parent in parents if (same := repeated(child, parent))), child)


def reads(proof: Proof, answer: str, language: str) -> tuple[Step, ...] | Eliminated:
    """The steps as they are when the last one reads the answer, resting on those before it."""
    *before, last = proof.steps
    if not equal(last.value, answer, language):
        nested = holds(answer, last.value) or holds(last.value, answer)
        if not nested or not stands(answer, [proof.texts[piece] for piece in last.evidence]):
            return Eliminated(f"the steps lead to '{last.value}', the answer is '{answer}'")
        last = replace(last, value=answer)
    return (*before, replace(last, of=tuple(range(len(before)))))


def concluded(proof: Proof, question: str, answer: str, operation: str, language: str) -> tuple[Step, ...] | Eliminated:
    """The steps and a last one that works out the answer; recomputed where that can be done."""
    last = Step(says=question, value=answer, operation=operation, of=tuple(range(len(proof.steps))))
    steps = (*(_named(step, answer) if operation in CHOOSING else step for step in proof.steps), last)
    if operation == INFER:
        copied = next((step for step in proof.steps if equal(step.value, answer, language)), None)
        return Eliminated("the answer is read off one step, it takes no reasoning") if copied else steps
    if operation not in OPERATIONS:
        return Eliminated(f"'{operation}' is no operation")
    wrong = fault(steps, proof.texts, answer, language, proof.about)
    return Eliminated(wrong) if wrong else steps


def _named(step: Step, answer: str) -> Step:
    """The step under the name that the answer gives to what it is about, be it without an article."""
    bare_of_articles = [_ARTICLE.sub("", normalise(text)) for text in (step.says, answer)]
    return replace(step, says=answer) if bare_of_articles[0] == bare_of_articles[1] else step


def proved(steps: tuple[Step, ...], proof: Proof, answer: str, language: str) -> tuple[Step, ...] | Eliminated:
    """The steps, when each of them reads what it should where it should."""
    assert all(step.operation == READ for step in steps)
    wrong = fault(steps, proof.texts, answer, language, proof.about)
    return Eliminated(wrong) if wrong else steps


def repeated(child: Sample, parent: Sample) -> Eliminated | None:
    """Why a child adds nothing to a parent, or None."""
    if normalise(child.question) == normalise(parent.question):
        return Eliminated("the question is its parent's")
    answered = any(equal(a, b, child.language) for a in child.golden_answers for b in parent.golden_answers)
    held = [any(p.doc_id == e.doc_id and p.start < e.end and e.start < p.end for p in parent.evidence)
            for e in child.evidence]  # fmt: skip
    if answered and all(held):
        return Eliminated("the answer and its evidence are its parent's")
    return None


def known(parents: Iterable[Sample]) -> str:
    """The parents as the model is shown them."""
    return "\n".join(f"{parent.question} {parent.golden_answers[0]}" for parent in parents)


def scenario_at(
    evolution: Evolution,
    material: Material,
    focus: Focus,
    worth: float,
    across: Sequence[str] = (),
    path: Sequence[str] = (),
) -> Scenario:
    """The scenario of an operator at a sentence, with the other passages and the path that lead `across`."""
    chunk_ids = (focus.chunk.chunk_id, *across)
    scenario_id = "s-" + digest(evolution.name, chunk_ids, path, focus.index, focus.sentence.text)[:16]
    return Scenario(
        scenario_id=scenario_id,
        synthesizer=evolution.name,
        question_type=evolution.question_type,
        chunk_ids=chunk_ids,
        language=material.readings[focus.chunk.doc_id].language,
        seed=material.seed,
        slot=focus.index,
        worth=worth * (1 - JITTER * priority(material.seed, scenario_id)),
        path=tuple(path),
        sentences=((focus.chunk.doc_id, focus.sentence.start),),
    )
