"""OpenAI evals: the file of a run with a JSONL data source (API reference, CreateEvalJSONLRunDataSource)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata


class OpenAIEvals(RowExporter):
    """One `item` per line. Graders refer to its fields as `{{item.question}}` and `{{item.answer}}`."""

    name = "openai-evals"
    tool = "OpenAI evals (API)"
    read_by = 'client.files.create(file=open(FILE, "rb"), purpose="evals")'
    checked_by = "the model of the openai library, in the tests"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any]:
        return {
            "item": {
                "question": sample.question,
                "answer": answer(sample),
                "contexts": evidence_texts(sample),
                "metadata": row_metadata(sample),
            }
        }


class OpenAIEvalsFramework(RowExporter):
    """Samples for the framework openai/evals (docs/build-eval.md): chat messages and ideal answers.

    A question without an answer is left out, because the templates of the framework cannot score it.
    """

    name = "openai-evals-framework"
    tool = "OpenAI evals (framework)"
    read_by = "args: samples_jsonl: FILE, in the YAML of the eval; then oaieval"
    checked_by = "its documented schema"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any] | None:
        if not sample.golden_answers:
            return None
        return {
            "input": [{"role": "user", "content": sample.question}],
            "ideal": list(sample.golden_answers),
            "metadata": row_metadata(sample),
        }
