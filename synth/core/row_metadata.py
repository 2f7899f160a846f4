"""Types of the metadata fields that synth reads in rows.

Rows may come from strangers, so the types are checked. Other fields, which people add, are kept unchanged.
"""

from __future__ import annotations

from typing import Any, TypedDict

from synth.core.declared_parts import read_as


class LocatedPassage(TypedDict):
    """Passage with its id and its offsets in a document."""

    chunk_id: str
    doc_id: str
    start: int
    end: int


class Alternative(LocatedPassage):
    """Passage that can replace the piece of evidence with the number `replaces`, counted from 0."""

    doc_hash: str
    text: str
    replaces: int


class _Question(TypedDict):
    question: str


class SubQuestion(_Question, total=False):
    """Question about one passage of a row. `evidence` lists [document id, start, end] for each piece."""

    answer: str
    evidence: list[list[Any]]


class Overlap(TypedDict):
    """Shares, from 0 to 1, of the question's words and word pairs that occur in the evidence."""

    words: float
    pairs: float


class Signals(TypedDict):
    overlap: Overlap


class Review(TypedDict, total=False):
    decision: str


class RowMetadata(TypedDict, total=False):
    """Fields that synth reads in the metadata of a row. Any of them may be missing."""

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
    earlier_ratings: dict[str, float]
    nearest: list[str]
    sub_questions: list[SubQuestion]
    refused: dict[str, str]
    signals: dict[str, str]
    doubt: str
    annotation: Review
    style: str
    pattern: str
    reckoning: str
    supersedes: str
    source: str


class ItemMetadata(TypedDict, total=False):
    """Fields that synth reads in the metadata of any row that it measures.

    Fewer fields than in `RowMetadata` are checked, because metrics check the others and report why they cannot use one.
    """

    question_type: str
    language: str
    alternatives: list[Alternative]
    hard_negatives: list[LocatedPassage]
    sub_questions: list[SubQuestion]


def of_row(value: Any, faults: list[str]) -> dict[str, Any]:
    """Return the metadata of a row without the parts of a wrong type, whose paths are added to `faults`."""
    return dict(read_as(RowMetadata, value, "metadata", faults))


def of_item(value: Any, faults: list[str]) -> dict[str, Any]:
    """Return the metadata of a measured row without the parts of a wrong type, whose paths are added to `faults`."""
    return dict(read_as(ItemMetadata, value, "metadata", faults))
