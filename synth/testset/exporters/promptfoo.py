"""promptfoo: test cases, one a line (docs: "Test case configuration"; config-schema.json, TestCase)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from synth.core.records import Sample
from synth.testset.exporters.base import Exporter, ExportInput, answer, json_lines, quotes, told


class Promptfoo(Exporter):
    """A prompt names `{{question}}`; the reply is judged by `factuality` against `{{reference}}`.

    Assertions name the variable and do not hold the answer, since promptfoo reads them as templates. A question
    without an answer has no assertion.
    """

    name: ClassVar[str] = "promptfoo"
    tool: ClassVar[str] = "promptfoo"
    read_by: ClassVar[str] = "tests: file://FILE.jsonl, in promptfooconfig.yaml"

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        yield "", json_lines(map(_case, material.samples))


def _case(sample: Sample) -> dict[str, Any]:
    reference = answer(sample)
    known = {} if reference is None else {"reference": reference}
    return {
        "description": sample.id,
        "vars": {"question": sample.question, **known, "context": "\n\n".join(quotes(sample))},
        **({"assert": [{"type": "factuality", "value": "{{reference}}"}]} if known else {}),
        "metadata": told(sample),
    }
