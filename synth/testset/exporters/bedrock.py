"""Amazon Bedrock: prompt datasets of RAG evaluations (user guide, "Create a prompt dataset for a RAG evaluation")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import Exporter, ExportInput, answer, evidence_texts, json_lines

MOST_PROMPTS = 1000
"""Maximum number of prompts in one evaluation job."""


class Bedrock(Exporter):
    """Prompt files for the two kinds of evaluation job, each with at most `MOST_PROMPTS` prompts.

    `retrieve-and-generate-NNN.jsonl` contains the golden answers, `retrieve-NNN.jsonl` the evidence. Bedrock has no
    fields for ids, further answers and offsets, so these are left out.
    """

    name = "bedrock"
    tool = "Amazon Bedrock"
    read_by = "upload to S3, then name each file in an evaluation job of its kind"
    checked_by = "its documented schema"
    folder = True

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        samples = export.samples
        for number, first in enumerate(range(0, max(1, len(samples)), MOST_PROMPTS), start=1):
            part = samples[first : first + MOST_PROMPTS]
            yield f"retrieve-and-generate-{number:03}.jsonl", json_lines(map(_with_answer, part))
            yield f"retrieve-{number:03}.jsonl", json_lines(map(_with_evidence, part))


def _with_answer(sample: Sample) -> Mapping[str, Any]:
    return _turn(sample.question, "referenceResponses", filter(None, [answer(sample)]))


def _with_evidence(sample: Sample) -> Mapping[str, Any]:
    return _turn(sample.question, "referenceContexts", evidence_texts(sample))


def _turn(question: str, references: str, texts: Iterable[str]) -> Mapping[str, Any]:
    known: Sequence[Any] = [{"content": [{"text": text}]} for text in texts]
    return {
        "conversationTurns": [{"prompt": {"content": [{"text": question}]}, **({references: known} if known else {})}]
    }
