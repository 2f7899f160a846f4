"""One question on one sentence: for models whose numbers and answers cannot be relied on."""

from __future__ import annotations

from synth.core.records import Sample
from synth.corpus.sections import harmless, lines_of, numbered
from synth.generation.filters.agreement import agreed
from synth.generation.filters.base import Corpus
from synth.generation.filters.judged import ANSWER
from synth.generation.proposals.candidates import RejectedProposal
from synth.generation.proposals.tasks import Task
from synth.generation.writer import WriterContext, evidence_of
from synth.models.chat.base import Request, Steps
from synth.text.normalise import collapse_space, holds, normalise
from synth.text.tidy_reply import bare, finished

PROMPT = "proposals/single"
STAGE = "single"
MOST_OF_IT = 0.6
"""Share of the sentence from which an answer is the sentence with its beginning cut off."""

_SAME = 0.5


def single(task: Task, material: WriterContext, corpus: Corpus) -> Steps[tuple[list[Sample], list[RejectedProposal]]]:
    """The question on the sentence of a task. Its answer must stand there, and be found again in the whole section."""
    section = task.sections[0]
    lines = lines_of(material.graph, section)
    line = lines[task.line]
    prompt = material.prompt(PROMPT, section.language)
    shown = numbered(material.graph, [section])
    values = {
        "title": " / ".join(harmless((section.title, *line.headings))),
        "passage": "\n".join(one.text for one in lines),
        "sentence": line.text,
    }
    completion = yield Request.of(prompt, values, purpose=PROMPT)
    question = finished(completion.data["question"], section.language)
    answer = bare(completion.data["answer"])
    if not normalise(question) or not normalise(answer):
        return [], [RejectedProposal(STAGE, "the question or the answer is empty")]
    spans = [(one.start, one.end) for one in (*(lines[place] for place in line.needs), line)]
    sample = Sample(
        question=question,
        golden_answers=(answer,),
        evidence=evidence_of(material, section.doc_id, spans),
        question_type="simple",
        language=section.language,
        metadata={"source": "synthetic"},
        provenance={**material.provenance, "prompts": {PROMPT: prompt.label}},
    )
    if not holds(line.text, answer):
        return [], [RejectedProposal(STAGE, "the answer does not stand in the sentence", sample)]
    if len(answer) > MOST_OF_IT * len(line.text):
        return [], [RejectedProposal(STAGE, "the answer is most of the sentence", sample)]
    items = f"Item 0\n{shown.text}\nQuestion: {question}"
    again = yield Request.of(corpus.prompt(ANSWER, section.language), {"items": items}, purpose=ANSWER)
    found = next((said for said in again.data["verdicts"] if said["found"]), None)
    if found is None or agreed(found["answer"], sample) < _SAME:
        told = f"'{collapse_space(found['answer'])[:60]}'" if found else "nothing"
        return [], [RejectedProposal(STAGE, f"asked again, the model answers {told}", sample)]
    return [sample], []
