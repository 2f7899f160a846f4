"""The metadata of rows as they are read: the parts whose type the code relies on.

A row may come from anybody, and people add fields of their own, which stay as they are.
"""

from __future__ import annotations

from typing import Any, TypedDict

from synth.core.declared_parts import read_as


class LocatedPassage(TypedDict):
    """A passage by its id and place."""

    chunk_id: str
    doc_id: str
    start: int
    end: int


class Alternative(LocatedPassage):
    """A place that can replace the piece of evidence of the number `replaces`."""

    doc_hash: str
    text: str
    replaces: int


class _Question(TypedDict):
    question: str


class SubQuestion(_Question, total=False):
    """A question on one passage of a row; `evidence` has the document, start and end of each piece."""

    answer: str
    evidence: list[list[Any]]


class Overlap(TypedDict):
    words: float
    pairs: float


class Signals(TypedDict):
    overlap: Overlap


class Review(TypedDict, total=False):
    decision: str


class RowMetadata(TypedDict, total=False):
    """The parts of the metadata of a row that synth reads; each may be missing."""

    question_type: str
    language: str
    evolutions: list[str]
    lineage: list[dict[str, Any]]
    verdicts: dict[str, float | None]
    provenance: dict[str, Any]
    alternatives: list[Alternative]
    hard_negatives: list[LocatedPassage]
    tags: list[str]
    difficulty_signals: Signals
    ratings: dict[str, float]
    nearest: list[str]
    sub_questions: list[SubQuestion]
    refused: dict[str, str]
    annotation: Review
    style: str
    pattern: str
    reckoning: str
    supersedes: str
    source: str


class ItemMetadata(TypedDict, total=False):
    """The parts that synth reads of any row that it measures; metrics give reasons for what they cannot read."""

    question_type: str
    language: str
    alternatives: list[Alternative]
    hard_negatives: list[LocatedPassage]
    sub_questions: list[SubQuestion]


def of_row(value: Any, faults: list[str]) -> dict[str, Any]:
    """The metadata of a row; the paths of parts of a wrong type are added to `faults`."""
    return dict(read_as(RowMetadata, value, "metadata", faults))


def of_item(value: Any, faults: list[str]) -> dict[str, Any]:
    """The metadata of any row that is measured, in the same way."""
    return dict(read_as(ItemMetadata, value, "metadata", faults))
