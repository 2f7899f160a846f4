"""A row of a set made elsewhere: a question, its answers, and what is said of where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.jsonl import Damaged


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A passage that is said to prove an answer: its text, or the document it is in, or both.

    `start` is where it is said to begin in the document; `focus` is where, in `text`, the answer stands.
    """

    text: str = ""
    doc_id: str = ""
    start: int | None = None
    focus: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A row as it was made elsewhere; `shape` names the tool, as far as its fields tell, `id` is the row's own."""

    question: str
    answers: tuple[str, ...]
    quotes: tuple[Quote, ...]
    shape: str
    id: str = ""
    question_type: str = ""
    unanswerable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of a file with the number of each, by line where the file has lines, and what could not be read."""

    rows: tuple[tuple[int, Mapping[str, Any]], ...]
    damaged: tuple[Damaged, ...] = ()
