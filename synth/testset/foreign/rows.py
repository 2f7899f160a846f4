"""Rows of foreign sets: a question, its answers, and the passages or documents they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.jsonl import Damaged


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A passage that proves an answer: its text, its document, or both.

    `start` is its offset in the document, if given; `focus` is the span of the answer in `text`.
    """

    text: str = ""
    doc_id: str = ""
    start: int | None = None
    focus: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRow:
    """A row of a foreign set; `shape` is the tool, as far as its fields tell, and `id` the id in that set."""

    question: str
    answers: tuple[str, ...]
    quotes: tuple[Quote, ...]
    shape: str
    id: str = ""
    question_type: str = ""
    unanswerable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of a file with their numbers (lines, where the file has lines), and the damaged lines."""

    rows: tuple[tuple[int, Mapping[str, Any]], ...]
    damaged: tuple[Damaged, ...] = ()
