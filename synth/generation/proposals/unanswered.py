"""Unanswerable questions: a passage raises them, but the corpus does not answer them."""

from __future__ import annotations

from synth.core.records import UNANSWERABLE, Sample
from synth.corpus.corpus import Corpus
from synth.corpus.sections import numbered
from synth.generation.proposals.candidates import WORTH, RejectedProposal
from synth.generation.proposals.task import Task
from synth.generation.proposals.wishes import language_name
from synth.generation.writer import WriterContext, passage_at
from synth.models.chat.base import Request, Steps
from synth.text.normalise import collapse_space, normalise
from synth.text.tidy_reply import tidy_question

PROMPT = "proposals/unanswerable"
MOST = 2
NEAREST = 3
"""Number of passages that a row lists because they come closest to an answer."""


def unanswered(
    task: Task, material: WriterContext, corpus: Corpus
) -> Steps[tuple[list[Sample], list[RejectedProposal]]]:
    """Return the questions that a section raises, without answers or evidence, and the rejected proposals.

    The judge checks later that no passage answers them.
    """
    section = task.sections[0]
    shown = numbered(material.corpus, [section])
    prompt = material.prompt(PROMPT, section.language)
    values = {
        "brief": corpus.brief or "-",
        "passage": shown.text,
        "most": str(MOST),
        "language": language_name(section.language),
        "manner": "",
    }
    completion = yield Request.of(prompt, values, purpose=PROMPT)
    samples: list[Sample] = []
    refused: list[RejectedProposal] = []
    for proposal in completion.data["candidates"]:
        question = tidy_question(str(proposal["question"]), section.language)
        lines = shown.cited(proposal["sentences"])
        if not normalise(question) or lines is None:
            refused.append(
                RejectedProposal("proposed", "the question is empty, or it cites sentence numbers that were not shown")
            )
            continue
        home = [passage_at(material, line.doc_id, line.start).chunk_id for line in lines]
        near = [name for name, _ in corpus.index.top(question, NEAREST)]
        sample = Sample(
            question=question,
            golden_answers=(),
            evidence=(),
            question_type=UNANSWERABLE,
            language=section.language,
            metadata={
                "source": "synthetic",
                "nearest": list(dict.fromkeys((*home, *near)))[:NEAREST],
                "missing": collapse_space(str(proposal["missing"])),
                WORTH: int(proposal["worth"]),
            },
            provenance={**material.provenance, "prompts": {PROMPT: prompt.label}},
        )
        samples.append(sample)
    return samples, refused
