"""OpenAI evals: the file of a run whose data source is JSONL (API reference, CreateEvalJSONLRunDataSource)."""

from __future__ import annotations

from collections.abc import Iterator

from synth.testset.exporters.base import (
    ONE_FILE,
    Exporter,
    ExportInput,
    answer,
    evidence_texts,
    json_lines,
    row_metadata,
)


class OpenAIEvals(Exporter):
    """One `item` per line; graders refer to `{{item.question}}` and `{{item.answer}}`."""

    name = "openai-evals"
    tool = "OpenAI evals (API)"
    read_by = 'client.files.create(file=open(FILE, "rb"), purpose="evals")'
    checked_by = "the model of the openai library, in the tests"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "item": {
                    "question": sample.question,
                    "answer": answer(sample),
                    "contexts": evidence_texts(sample),
                    "metadata": row_metadata(sample),
                }
            }
            for sample in export.samples
        )
        yield ONE_FILE, json_lines(rows)


class OpenAIEvalsFramework(Exporter):
    """Samples of the framework openai/evals (docs/build-eval.md): chat messages and ideal answers.

    A question without an answer is left out, since the framework's templates cannot score it.
    """

    name = "openai-evals-framework"
    tool = "OpenAI evals (framework)"
    read_by = "args: samples_jsonl: FILE, in the YAML of the eval; then oaieval"
    checked_by = "its documented schema"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        rows = (
            {
                "input": [{"role": "user", "content": sample.question}],
                "ideal": list(sample.golden_answers),
                "metadata": row_metadata(sample),
            }
            for sample in export.samples
            if sample.golden_answers
        )
        yield ONE_FILE, json_lines(rows)
