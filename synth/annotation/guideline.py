"""Guideline for annotators, with examples from the set itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.annotation.messages import wording
from synth.annotation.records import ACCEPT, DIMENSIONS, EDIT, REASONS, REJECT, SKIP
from synth.annotation.sampling import stratified
from synth.core.records import Sample

EXAMPLES_A_TYPE = 2
_LONGEST = 300
_TYPES = ("simple", "reasoning", "multi_context", "conditional", "unanswerable")


@dataclass(frozen=True, slots=True)
class GuidelineBlock:
    """A block of the guideline. `kind` is "title", "heading", "text" or "item"; `lead` is the bold start of an item."""

    kind: str
    text: str
    lead: str = ""


def guideline(samples: Sequence[Sample], language: str) -> list[GuidelineBlock]:
    """Return the guideline in "en", "zh-Hans" or "zh-Hant", for the question types that the set contains."""
    words = wording(language)
    says: Mapping[str, str] = words["guideline"]
    kinds = [kind for kind in _TYPES if any(sample.question_type == kind for sample in samples)]
    blocks = [
        GuidelineBlock("title", says["title"]),
        GuidelineBlock("text", says["aim"]),
        GuidelineBlock("heading", says["decide"]),
    ]
    blocks += [GuidelineBlock("text", says[name]) for name in (ACCEPT, EDIT, REJECT)]
    blocks += [GuidelineBlock("item", words["reason"][reason]) for reason in REASONS]
    blocks += [
        GuidelineBlock("text", says[SKIP]),
        GuidelineBlock("text", says["alone"]),
        GuidelineBlock("heading", says["types"]),
    ]
    blocks += [GuidelineBlock("item", says[f"type_{kind}"], words["type"][kind]) for kind in kinds]
    blocks.append(GuidelineBlock("heading", says["rate"]))
    blocks += [GuidelineBlock("item", words["dimension_says"][name], words["dimension"][name]) for name in DIMENSIONS]
    blocks.append(GuidelineBlock("heading", says["examples"]))
    for kind in kinds:
        for sample in _examples(samples, kind):
            blocks += _example(sample, words)
    return blocks


def as_markdown(blocks: Sequence[GuidelineBlock], language: str) -> str:
    """Return the guideline as Markdown, with Markdown characters in the texts escaped."""
    colon = wording(language)["colon"]
    lines: list[str] = []
    before = ""
    for block in blocks:
        if lines and not (block.kind == before == "item"):
            lines.append("")
        text = _escaped(block.text)
        lead = f"**{_escaped(block.lead)}**{colon}" if block.lead else ""
        lines.append({"title": "# ", "heading": "## ", "text": "", "item": "- "}[block.kind] + lead + text)
        before = block.kind
    return "\n".join(lines) + "\n"


def _examples(samples: Sequence[Sample], kind: str) -> list[Sample]:
    short = [s for s in samples if s.question_type == kind and sum(len(e.text) for e in s.evidence) <= _LONGEST]
    return stratified(short or [s for s in samples if s.question_type == kind], 0)[:EXAMPLES_A_TYPE]


def _example(sample: Sample, words: Mapping[str, Any]) -> list[GuidelineBlock]:
    says = words["guideline"]
    answers = words["list"].join(sample.golden_answers) or says["no_answer"]
    lines = [says["example_question"].format(sample.question), says["example_answer"].format(answers)]
    lines += [says["example_evidence"].format(piece.doc_id, _short(piece.text)) for piece in sample.evidence]
    kind = words["type"].get(sample.question_type, sample.question_type)
    return [GuidelineBlock("text", lines[0], kind), *(GuidelineBlock("item", line) for line in lines[1:])]


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"


def _escaped(text: str) -> str:
    flat = " ".join(text.split())
    for char in "\\`*_[]<>#|":
        flat = flat.replace(char, "\\" + char)
    return flat
