"""Row of a foreign set: a question, its answers, and the passages or documents that contain them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.jsonl import Damaged


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A passage that proves an answer: its text, its document, or both.

    `start` is the offset of the passage in the document, or None if unknown. `focus` is the span of the answer in
    `text`, or None.
    """

    text: str = ""
    doc_id: str = ""
    start: int | None = None
    focus: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRow:
    """A row of a foreign set. `shape` is the tool that the field names suggest. `id` is its id in that set."""

    question: str
    answers: tuple[str, ...]
    quotes: tuple[Quote, ...]
    shape: str
    id: str = ""
    question_type: str = ""
    unanswerable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The numbered records of a file, and its damaged lines. Numbers are line numbers if the format has lines."""

    rows: tuple[tuple[int, Mapping[str, Any]], ...]
    damaged: tuple[Damaged, ...] = ()
