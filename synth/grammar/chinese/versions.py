"""The version from which on something supports or offers something."""

from __future__ import annotations

import json
import re
from importlib.resources import files

from synth.grammar.chinese.candidates import Candidate, Candidates, TemplateWriter
from synth.grammar.chinese.lines import ChineseLine

_FORMS = tuple(
    re.compile(row["form"])
    for row in json.loads(files(__package__).joinpath("set_forms.json").read_text("utf-8"))["versions"]
)
_WORTH = 0.88


def versions(line: ChineseLine, writer: TemplateWriter) -> Candidates:
    """从 1.9.0 版本开始，X 增加了Y -> X 从哪个版本开始增加Y？"""
    match = next(filter(None, (form.match(line.simple) for form in _FORMS)), None)
    if match is None:
        return
    subject = line.written(*match.span("S"))
    parts = {"S": subject, "V": line.written(*match.span("V")), "O": line.written(*match.span("O"))}
    question = writer.fill("{S} 从哪个版本开始{V}{O}？", **parts)
    yield Candidate(question, line.answer(*match.span("A")), line, (line.index,), "since", _WORTH, 3, subject)
