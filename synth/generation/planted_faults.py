"""Planted faults: rows made wrong on purpose, to measure which filters reject them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from synth.core.records import Sample, digest
from synth.generation.spoiling import FAULTS as SPOILT
from synth.generation.spoiling import spoilt
from synth.text.language import is_chinese
from synth.text.normalise import normalise
from synth.text.stems import stems

_NAME = re.compile(r"(?<=\w )[A-Z][\w.-]+(?:(?: of| the|'s)? [A-Z][\w.-]+)*(?:'s)?")
_CHINESE_NAME = re.compile(r"《[^《》]+》|[A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*)*")
_LEAST_HALF = 4
"""Minimum length of half an answer, in characters. Shorter halves are often valid answers."""


def evidence_of(row: Sample) -> str:
    """Return the evidence texts of a row, one per line."""
    return "\n".join(piece.text for piece in row.evidence)


def planted(
    good: Sequence[Sample], most: int, passage_of: Callable[[Sample], str] = evidence_of
) -> list[tuple[str, Sample]]:
    """Return at most `most` faulty rows, each with the name of its fault. A hash of the rows determines the order.

    `passage_of` returns the text around the evidence of a row. Values in this text are easily mistaken for the answer.
    Each of the `good` rows with a golden answer yields at most one faulty row. The faults in `FAULTS` take turns. If a
    fault does not fit a row, the next fault is tried. A faulty row may be right by chance, because nothing checks it.
    """
    answered = sorted((row for row in good if row.golden_answers), key=lambda row: digest("spoil", row.id))
    kinds = list(FAULTS)
    rows: list[tuple[str, Sample]] = []
    for row in answered:
        other = _other(row, answered)
        turn = len(rows) % len(kinds)
        for kind in (*kinds[turn:], *kinds[:turn]):
            bad = FAULTS[kind](row, other, passage_of(row)) if other else None
            if bad and len(rows) < most:
                rows.append((kind, bad))
                break
    return rows


def _other(row: Sample, rows: Sequence[Sample]) -> Sample | None:
    """Return the row with the most similar question, in the same language but with another answer and evidence."""
    answers = set(map(normalise, row.golden_answers))
    others = [
        other
        for other in rows
        if other.language == row.language
        and other.evidence != row.evidence
        and answers.isdisjoint(map(normalise, other.golden_answers))
    ]
    own = set(stems(row.question))

    def likeness(other: Sample) -> tuple[int, str]:
        return len(own & set(stems(other.question))), digest("other", row.id, other.id)

    return max(others, key=likeness, default=None)


def _wrong_answer(row: Sample, other: Sample, passage: str) -> Sample:
    return replace(row, golden_answers=other.golden_answers)


def _other_evidence(row: Sample, other: Sample, passage: str) -> Sample:
    return replace(row, evidence=other.evidence)


def _missing_name(row: Sample, other: Sample, passage: str) -> Sample | None:
    pattern, pointer = (_CHINESE_NAME, "它") if is_chinese(row.language) else (_NAME, "it")
    unnamed = pattern.sub(pointer, row.question, count=1)
    return replace(row, question=unnamed) if unnamed != row.question else None


def _half_an_answer(row: Sample, other: Sample, passage: str) -> Sample | None:
    answer = row.golden_answers[0]
    parts = list(answer) if is_chinese(row.language) else re.findall(r"\S+\s*", answer)
    half = "".join(parts[: len(parts) // 2]).rstrip()
    return replace(row, golden_answers=(half,)) if len(half) >= _LEAST_HALF else None


def _spoilt_answer(kind: str, row: Sample, other: Sample, passage: str) -> Sample | None:
    wrong = dict(spoilt(row.golden_answers[0], passage, row.language)).get(kind)
    return replace(row, golden_answers=(wrong,)) if wrong else None


FAULTS: Mapping[str, Callable[[Sample, Sample, str], Sample | None]] = {
    **{kind: partial(_spoilt_answer, kind) for kind in SPOILT},
    "answer of a like question": _wrong_answer,
    "other evidence": _other_evidence,
    "missing name": _missing_name,
    "half an answer": _half_an_answer,
}
"""Functions that plant a fault, by the name of the fault.

Arguments are the row, another row and the passage. The result is None if the fault cannot be made from the row.
"""
