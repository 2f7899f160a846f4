"""promptfoo: test cases, one per line (docs: "Test case configuration"; config-schema.json, TestCase)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import ExportInput, RowExporter, answer, evidence_texts, row_metadata


class Promptfoo(RowExporter):
    """Test cases for a prompt with `{{question}}`. The assertion `factuality` compares a reply with `{{reference}}`.

    Assertions refer to the variable and do not contain the answer, because promptfoo would read it as a template. A
    question without an answer has no assertion.
    """

    name = "promptfoo"
    tool = "promptfoo"
    read_by = "tests: file://FILE.jsonl, in promptfooconfig.yaml"
    checked_by = "`promptfoo validate` 0.121.20"

    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any]:
        reference = answer(sample)
        known = {} if reference is None else {"reference": reference}
        return {
            "description": sample.id,
            "vars": {"question": sample.question, **known, "context": "\n\n".join(evidence_texts(sample))},
            **({"assert": [{"type": "factuality", "value": "{{reference}}"}]} if known else {}),
            "metadata": row_metadata(sample),
        }
