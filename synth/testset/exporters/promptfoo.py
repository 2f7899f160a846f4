"""promptfoo: test cases, one per line (docs: "Test case configuration"; config-schema.json, TestCase)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from synth.core.records import Sample
from synth.testset.exporters.base import (
    ONE_FILE,
    Exporter,
    ExportInput,
    answer,
    evidence_texts,
    json_lines,
    row_metadata,
)


class Promptfoo(Exporter):
    """Test cases for a prompt with `{{question}}`; `factuality` judges the reply against `{{reference}}`.

    Assertions name the variable instead of the answer, since promptfoo reads them as templates. A question without
    an answer has no assertion.
    """

    name = "promptfoo"
    tool = "promptfoo"
    read_by = "tests: file://FILE.jsonl, in promptfooconfig.yaml"
    checked_by = "`promptfoo validate` 0.121.20"

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        yield ONE_FILE, json_lines(map(_case, export.samples))


def _case(sample: Sample) -> dict[str, Any]:
    reference = answer(sample)
    known = {} if reference is None else {"reference": reference}
    return {
        "description": sample.id,
        "vars": {"question": sample.question, **known, "context": "\n\n".join(evidence_texts(sample))},
        **({"assert": [{"type": "factuality", "value": "{{reference}}"}]} if known else {}),
        "metadata": row_metadata(sample),
    }
