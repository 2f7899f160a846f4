"""Samples from the proposals of a chat model, which cites its evidence by sentence numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import SUB_QUESTIONS, Evidence, Sample
from synth.corpus.sections import HEADING, Numbered, SectionLine, spans
from synth.generation.writer import WriterContext, evidence_of
from synth.text.normalise import collapse_space, normalise
from synth.text.tidy_reply import tidy_answer, tidy_question

WORTH, MOVE, ITEM = "worth", "move", "item"

PATH = "path"
"""Metadata key of the nodes and links of the graph that led to a row."""

REWORD = "reword"
"""Move that changes only the wording of a question."""

LONGEST = {"question": 500, "answer": 400}
"""Maximum characters of a field, as in the schemas of the prompts.

A text that reaches the maximum was cut off by the model server.
"""


@dataclass(frozen=True, slots=True)
class RejectedProposal:
    """Rejected proposal: the stage, the reason, and the sample if one could be formed."""

    stage: str
    reason: str
    sample: Sample | None = None


def read(
    proposals: Iterable[Mapping[str, Any]],
    shown: Numbered,
    material: WriterContext,
    prompt: str,
    language: str,
    metadata: Mapping[str, Any],
) -> tuple[list[Sample], list[RejectedProposal]]:
    """Return the samples that a reply proposes on the passages `shown`, and the rejected proposals."""
    samples: list[Sample] = []
    refused: list[RejectedProposal] = []
    asked: set[str] = set()
    for proposal in proposals:
        candidate = _sample(proposal, shown, material, prompt, language, metadata)
        if isinstance(candidate, RejectedProposal):
            refused.append(candidate)
        elif normalise(candidate.question) in asked:
            refused.append(RejectedProposal("proposed", "the same question was proposed twice", candidate))
        else:
            asked.add(normalise(candidate.question))
            samples.append(candidate)
    return samples, refused


def _sample(
    proposal: Mapping[str, Any],
    shown: Numbered,
    material: WriterContext,
    prompt: str,
    language: str,
    metadata: Mapping[str, Any],
) -> Sample | RejectedProposal:
    question = tidy_question(str(proposal["question"]), language)
    answer = tidy_answer(str(proposal["answer"]))
    if not normalise(question) or not normalise(answer):
        return RejectedProposal("proposed", "the question or the answer is empty")
    for field, limit in LONGEST.items():
        if len(str(proposal[field])) >= limit:
            return RejectedProposal("proposed", f"the {field} is cut off at {limit} characters")
    kind = str(proposal.get("type", "multi_context"))
    otherwise = collapse_space(str(proposal.get("otherwise", "")))
    if kind == "conditional" and normalise(otherwise) in ("", normalise(answer)):
        kind = "simple"  # its answer does not depend on the condition
    hops = list(proposal.get("hops", ())) if kind == "multi_context" else []
    numbers = [n for hop in hops for n in hop["sentences"]] if hops else list(proposal["sentences"])
    lines = shown.cited(numbers)
    if lines is None:
        return RejectedProposal("evidence", f"it cites no sentence, or sentence numbers that were not shown: {numbers}")
    pieces = _evidence(lines, material)
    details: dict[str, Any] = {
        name: text
        for name in ("condition", "otherwise", "reckoning", MOVE)
        if (text := collapse_space(str(proposal.get(name, ""))))
    }
    if kind != "conditional":
        details = {name: text for name, text in details.items() if name not in ("condition", "otherwise")}
    if hops:
        details[SUB_QUESTIONS] = [_sub_question(hop, shown, material) for hop in hops]
    sample = Sample(
        question=question,
        golden_answers=(answer,),
        evidence=pieces,
        question_type=kind,
        language=language,
        metadata={
            "source": "synthetic",
            **metadata,
            **details,
            **{name: int(proposal[name]) for name in (ITEM,) if name in proposal},
            WORTH: int(proposal["worth"]),
        },
        provenance={**material.provenance, "prompts": {prompt.partition(".")[0]: prompt}},
    )
    passages = len(shown.sections_of(numbers))
    if sample.question_type != "multi_context" and passages > 1:
        return RejectedProposal("evidence", f"its evidence is in several passages, but its type is '{kind}'", sample)
    if sample.question_type == "multi_context" and passages < 2:
        return RejectedProposal(
            "evidence", "its evidence is in a single passage, but its type is 'multi_context'", sample
        )
    if sample.question_type == "multi_context" and len(hops) < 2:
        return RejectedProposal("proposed", "it lacks a sub-question on each of its passages", sample)
    return sample


def _sub_question(hop: Mapping[str, Any], shown: Numbered, material: WriterContext) -> dict[str, Any]:
    """Return a question on one passage of a row, with its answer and evidence, as JSON values."""
    lines = shown.cited(hop["sentences"]) or ()
    return {
        "question": collapse_space(str(hop["question"])),
        "answer": collapse_space(str(hop["answer"])),
        "evidence": [[piece.doc_id, piece.start, piece.end] for piece in _evidence(lines, material)],
    }


def _evidence(lines: Sequence[SectionLine], material: WriterContext) -> tuple[Evidence, ...]:
    """Return the evidence in some lines.

    A heading counts as evidence only if its chunk contains another of the lines, or if all lines are headings.
    Otherwise it is not needed, because every piece of evidence is shown under its headings. A system need not retrieve
    a chunk only for its heading.
    """
    pieces = [piece for doc_id, places in spans(lines).items() for piece in evidence_of(material, doc_id, places)]
    headings = {(line.doc_id, line.start) for line in lines if line.kind == HEADING}
    homes = {piece.chunk_id for piece in pieces if (piece.doc_id, piece.start) not in headings}
    return tuple(piece for piece in pieces if not homes or piece.chunk_id in homes)


def evolved(child: Sample, parent: Sample, move: str) -> Sample:
    """Return the child with a record of its parent and of the move that developed it."""
    step = {
        "move": move,
        "parents": [
            {
                "id": parent.id,
                "question": parent.question,
                "golden_answers": list(parent.golden_answers),
                "evidence": [[piece.doc_id, piece.start, piece.end] for piece in parent.evidence],
            }
        ],
    }
    return replace(child, evolutions=(*parent.evolutions, move), lineage=(*parent.lineage, step))


def adds_nothing(child: Sample, parent: Sample, move: str) -> str:
    """Return the reason why a child asks the same as its parent, or ""."""
    if normalise(child.question) == normalise(parent.question):
        return "it asks the same as the question that it was developed from"
    same_answer = normalise(child.golden_answers[0]) == normalise(parent.golden_answers[0])
    same_evidence = {(p.doc_id, p.start, p.end) for p in child.evidence} <= {
        (p.doc_id, p.start, p.end) for p in parent.evidence
    }
    if same_answer and same_evidence and child.question_type == parent.question_type and move != REWORD:
        return "it has the answer and the evidence of the question that it was developed from"
    return ""
