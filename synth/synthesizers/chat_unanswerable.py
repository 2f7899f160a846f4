"""Unanswerable questions by a chat model: about what a passage names, and not answered by it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from synth.llm.base import Request, Steps
from synth.records import UNANSWERABLE, Chunk, Sample, Scenario, digest
from synth.synthesizers.focus import worth
from synth.synthesizers.nearness import nearness
from synth.text.locate import locate
from synth.text.normalise import collapse_space, normalise
from synth.text.orders import smuggled, without_orders
from synth.text.said import finished
from synth.text.tokens import content_words, count_tokens
from synth.writer import Material, Writer, Written, passage_at, priority

PROMPT = "synthesizers/unanswerable"
JITTER = 0.3
"""How far the seed may move a passage, in worth."""

_TOKENS = 700
_LEAST_TOKENS = 40
_STAGE = "unanswerable"


class ChatUnanswerable(Writer):
    """One scenario a passage, at its most promising sentence, which is the slot."""

    name: ClassVar[str] = "chat_unanswerable"
    author: ClassVar[str] = "chat"
    question_type: ClassVar[str] = UNANSWERABLE

    def plan(self, material: Material) -> Iterable[Scenario]:
        for doc_id, reading in material.readings.items():
            best: dict[str, tuple[float, int]] = {}
            for index, sentence in enumerate(reading.sentences):
                value = worth(sentence, reading.language)
                chunk = passage_at(material, doc_id, sentence.start)
                if value > best.get(chunk.chunk_id, (0.0, 0))[0] and count_tokens(chunk.text) >= _LEAST_TOKENS:
                    best[chunk.chunk_id] = (value, index)
            for chunk_id, (value, index) in best.items():
                scenario_id = "s-" + digest(self.name, chunk_id, index)[:16]
                yield Scenario(
                    scenario_id=scenario_id,
                    synthesizer=self.name,
                    question_type=self.question_type,
                    chunk_ids=(chunk_id,),
                    language=reading.language,
                    seed=material.seed,
                    slot=index,
                    worth=max(0.0, value - JITTER * priority(material.seed, scenario_id)),
                )

    def write(self, scenario: Scenario, material: Material) -> Steps[Written]:
        chunk = material.graph.chunk(scenario.chunk_ids[0])
        document = material.graph.document(chunk.doc_id)
        prompt = material.prompt(PROMPT, scenario.language)
        place = " / ".join(dict.fromkeys(filter(None, [document.title, *chunk.headings])))
        values = {"title": collapse_space(place), "passage": without_orders(self._passage(chunk, scenario, material))}
        completion = yield Request.of(prompt, values, purpose=PROMPT)
        reply = completion.data
        question = finished(reply["question"], scenario.language)
        markdown = document.metadata.get("format") == "markdown"
        if locate(reply["stated"], document.text, chunk.start, chunk.end, markdown=markdown) is None:
            return Written(given_up=((_STAGE, "the sentence that is said to come nearest is not in the passage"),))
        if word := smuggled(f"{question} {reply['missing']}", [chunk.text]):
            return Written(given_up=((_STAGE, f"'{word}' is of what the passage tells language models to do"),))
        named = set(content_words(f"{place} {chunk.text}"))
        if not normalise(question) or not named.intersection(content_words(question)):
            return Written(given_up=((_STAGE, "the question is about nothing that the passage names"),))
        nearest = [name for name, _ in nearness(material.graph).top(question, 3) if name != chunk.chunk_id]
        sample = Sample(
            question=question,
            golden_answers=(),
            evidence=(),
            question_type=self.question_type,
            language=scenario.language,
            metadata={
                "source": "synthetic",
                "nearest": [chunk.chunk_id, *nearest[:2]],
                "missing": collapse_space(reply["missing"]),
            },
            provenance={**material.provenance, "prompts": {PROMPT: prompt.label}},
        )
        return Written((sample,))

    @staticmethod
    def _passage(chunk: Chunk, scenario: Scenario, material: Material) -> str:
        """The passage, or as many of its sentences from the one in focus on as a short prompt holds."""
        if count_tokens(chunk.text) <= _TOKENS:
            return chunk.text
        text, sentences = material.graph.document(chunk.doc_id).text, material.readings[chunk.doc_id].sentences
        start = max(chunk.start, sentences[scenario.slot].start)
        ends = [s.end for s in sentences if start < s.end <= chunk.end and count_tokens(text[start : s.end]) <= _TOKENS]
        return text[start : max(ends)] if ends else text[start : chunk.end][: 4 * _TOKENS]
