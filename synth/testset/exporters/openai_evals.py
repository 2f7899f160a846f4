"""OpenAI evals: the file of a run whose data source is JSONL (API reference, CreateEvalJSONLRunDataSource)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from synth.testset.exporters.base import Exporter, ExportInput, answer, json_lines, quotes, told


class OpenAIEvals(Exporter):
    """One `item` a line: a grader names `{{item.question}}` and `{{item.answer}}`."""

    name: ClassVar[str] = "openai-evals"
    tool: ClassVar[str] = "OpenAI evals (API)"
    read_by: ClassVar[str] = 'client.files.create(file=open(FILE, "rb"), purpose="evals")'

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "item": {
                    "question": sample.question,
                    "answer": answer(sample),
                    "contexts": quotes(sample),
                    "metadata": told(sample),
                }
            }
            for sample in material.samples
        )
        yield "", json_lines(rows)


class OpenAIEvalsFramework(Exporter):
    """The samples of the framework openai/evals (docs/build-eval.md): chat messages, and what is ideal.

    A question without an answer is left out, since the framework's templates have no way to score it.
    """

    name: ClassVar[str] = "openai-evals-framework"
    tool: ClassVar[str] = "OpenAI evals (framework)"
    read_by: ClassVar[str] = "args: samples_jsonl: FILE, in the YAML of the eval; then oaieval"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "input": [{"role": "user", "content": sample.question}],
                "ideal": list(sample.golden_answers),
                "metadata": told(sample),
            }
            for sample in material.samples
            if sample.golden_answers
        )
        yield "", json_lines(rows)
