"""Simple questions by a chat model: one call a sentence in focus, the quotation located or refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from synth.llm.base import Request, Steps
from synth.records import Chunk, Sample, Scenario, digest
from synth.synthesizers.base import Material, Synthesizer, evidence_of, passage_at, priority
from synth.synthesizers.focus import worth
from synth.text.language import is_chinese
from synth.text.locate import locate
from synth.text.normalise import collapse_space
from synth.text.prose import Sentence

PROMPT = "synthesizers/simple"


class ChatSimple(Synthesizer):
    """One scenario a sentence worth asking about; documents take turns."""

    name: ClassVar[str] = "chat_simple"
    author: ClassVar[str] = "chat"
    question_type: ClassVar[str] = "simple"

    def plan(self, material: Material) -> Iterable[Scenario]:
        planned = []
        for doc_id, reading in material.readings.items():
            ranked = sorted(
                ((worth(s, reading.language), i) for i, s in enumerate(reading.sentences)),
                key=lambda pair: (-pair[0], priority(material.seed, doc_id, reading.sentences[pair[1]].text)),
            )
            room = 1 + len(reading.document.text) // 4000
            for turn, (value, index) in enumerate(pair for pair in ranked if pair[0] > 0):
                sentence = reading.sentences[index]
                chunk = passage_at(material, doc_id, sentence.start)
                scenario = Scenario(
                    scenario_id="s-" + digest(self.name, doc_id, index, sentence.text)[:16],
                    synthesizer=self.name,
                    question_type=self.question_type,
                    chunk_ids=(chunk.chunk_id,),
                    language=reading.language,
                    seed=material.seed,
                    slot=index,
                    worth=value,
                )
                planned.append((turn // room, priority(material.seed, scenario.scenario_id), scenario))
        planned.sort(key=lambda item: (item[0], item[1], item[2].scenario_id))
        return (scenario for _, _, scenario in planned)

    def write(self, scenario: Scenario, material: Material) -> Steps[list[Sample]]:
        chunk = material.graph.chunk(scenario.chunk_ids[0])
        reading = material.readings[chunk.doc_id]
        focus = reading.sentences[scenario.slot]
        prompt = material.prompt(PROMPT, scenario.language)
        values = {"title": _topic(reading.document.title, focus), "passage": chunk.text, "focus": focus.text}
        completion = yield Request.of(prompt, values, purpose=PROMPT)
        reply = completion.data
        span = self._evidence(reply["quote"], focus, chunk, material)
        if span is None:
            return []
        return [
            Sample(
                question=_finished(reply["question"], scenario.language),
                golden_answers=(_bare(reply["answer"]),),
                evidence=evidence_of(material, chunk.doc_id, [span]),
                question_type=self.question_type,
                language=scenario.language,
                metadata={"source": "synthetic"},
                provenance={**material.provenance, "prompts": {PROMPT: prompt.label}},
            )
        ]

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


def _topic(title: str, focus: Sentence) -> str:
    return collapse_space(" / ".join(dict.fromkeys([title, *focus.headings])))


def _finished(question: str, language: str) -> str:
    question = collapse_space(question)
    if is_chinese(language) and question.endswith("?"):
        question = question[:-1] + "？"
    return question


def _bare(answer: str) -> str:
    """The answer without the full stop that models end everything with."""
    answer = collapse_space(answer)
    return answer[:-1] if answer.endswith(("。", ".")) and not answer.endswith("..") and len(answer) > 1 else answer
