"""Simple questions by a chat model: one call a sentence in focus, the quotation located or refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from synth.llm.base import Request, Steps
from synth.records import Chunk, Sample, Scenario, digest
from synth.synthesizers.focus import worth
from synth.text.locate import locate
from synth.text.normalise import collapse_space
from synth.text.orders import without_orders
from synth.text.prose import Sentence
from synth.text.said import bare, finished
from synth.writer import Material, Writer, Written, evidence_of, passage_at, priority

PROMPT = "synthesizers/simple"

JITTER = 0.3
"""How far the seed may move a sentence, in worth: what makes a sentence promising is only guessed."""


class ChatSimple(Writer):
    """One scenario a sentence worth asking about; documents take turns."""

    name: ClassVar[str] = "chat_simple"
    author: ClassVar[str] = "chat"
    question_type: ClassVar[str] = "simple"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for doc_id, reading in material.readings.items():
            for index, sentence in enumerate(reading.sentences):
                value = worth(sentence, reading.language)
                if value <= 0:
                    continue
                scenario_id = "s-" + digest(self.name, doc_id, index, sentence.text)[:16]
                chunk = passage_at(material, doc_id, sentence.start)
                yield Scenario(
                    scenario_id=scenario_id,
                    synthesizer=self.name,
                    question_type=self.question_type,
                    chunk_ids=(chunk.chunk_id,),
                    language=reading.language,
                    seed=material.seed,
                    slot=index,
                    worth=value - JITTER * priority(material.seed, scenario_id),
                    sentences=((doc_id, sentence.start),),
                )

    def write(self, scenario: Scenario, material: Material) -> Steps[Written]:
        chunk = material.graph.chunk(scenario.chunk_ids[0])
        reading = material.readings[chunk.doc_id]
        focus = reading.sentences[scenario.slot]
        passage = without_orders(chunk.text)
        if passage != chunk.text and collapse_space(focus.text) not in collapse_space(passage):
            return Written(given_up=(("orders", "the sentence stands among orders to language models"),))
        prompt = material.prompt(PROMPT, scenario.language)
        summary = yield from material.know("summary", chunk.doc_id)
        values = {
            "title": _topic(reading.document.title, focus, summary),
            "passage": passage,
            "focus": focus.text,
        }
        completion = yield Request.of(prompt, values, purpose=PROMPT)
        reply = completion.data
        span = self._evidence(reply["quote"], focus, chunk, material)
        if span is None:
            return Written(given_up=(("evidence", "the model's quotation does not stand in the passage"),))
        sample = Sample(
            question=finished(reply["question"], scenario.language),
            golden_answers=(bare(reply["answer"]),),
            evidence=evidence_of(material, chunk.doc_id, [span]),
            question_type=self.question_type,
            language=scenario.language,
            metadata={"source": "synthetic"},
            provenance={**material.provenance, "prompts": {PROMPT: prompt.label}},
        )
        return Written((sample,))

    def _evidence(self, quote: str, focus: Sentence, chunk: Chunk, material: Material) -> tuple[int, int] | None:
        """The whole sentences that hold the quotation, or None when the passage does not."""
        reading = material.readings[chunk.doc_id]
        markdown = reading.document.metadata.get("format") == "markdown"
        found = locate(quote, reading.document.text, focus.start, focus.end, markdown=markdown) or locate(
            quote, reading.document.text, chunk.start, chunk.end, markdown=markdown
        )
        if found is None:
            return None
        touched = [s for s in reading.sentences if s.start < found[1] and s.end > found[0]]
        return min([found[0], *(s.start for s in touched)]), max([found[1], *(s.end for s in touched)])


def _topic(title: str, focus: Sentence, summary: Mapping[str, Any] | None) -> str:
    """Where the sentence in focus stands, and what its document is about where that is known."""
    place = collapse_space(" / ".join(dict.fromkeys([title, *focus.headings])))
    return f"{place} ({collapse_space(summary['text'])})" if summary else place
