"""Planted faults: rows made bad out of good ones, to measure what refuses them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from synth.core.records import Sample, digest
from synth.text.language import is_chinese
from synth.text.normalise import normalise

_NAME = re.compile(r"(?<=\w )[A-Z][\w.-]+(?:(?: of| the|'s)? [A-Z][\w.-]+)*(?:'s)?")
_CHINESE_NAME = re.compile(r"《[^《》]+》|[A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*)*")
_LEAST_HALF = 4
"""Characters that half of an answer must have: less is often an answer of its own."""


def planted(good: Sequence[Sample], most: int) -> list[tuple[str, Sample]]:
    """At most `most` rows, each with the name of its fault, in an order drawn by a hash of the rows.

    Each of the `good` rows with a golden answer gives one at most; the faults of `FAULTS` take turns, and where one
    cannot be made of a row, the next is. Nothing checks that a spoilt row is wrong: the evidence of another row may
    happen to prove the answer.
    """
    answered = sorted((row for row in good if row.golden_answers), key=lambda row: digest("spoil", row.id))
    kinds = list(FAULTS)
    rows: list[tuple[str, Sample]] = []
    for row in answered:
        other = _other(row, answered)
        turn = len(rows) % len(kinds)
        for kind in (*kinds[turn:], *kinds[:turn]):
            spoilt = FAULTS[kind](row, other) if other else None
            if spoilt and len(rows) < most:
                rows.append((kind, spoilt))
                break
    return rows


def _other(row: Sample, rows: Sequence[Sample]) -> Sample | None:
    """A row of the same language with another answer and evidence, drawn by a hash."""
    answers = set(map(normalise, row.golden_answers))
    others = [
        other
        for other in rows
        if other.language == row.language
        and other.evidence != row.evidence
        and answers.isdisjoint(map(normalise, other.golden_answers))
    ]
    return others[int(digest("other", row.id)[:8], 16) % len(others)] if others else None


def _wrong_answer(row: Sample, other: Sample) -> Sample:
    return replace(row, golden_answers=other.golden_answers)


def _other_evidence(row: Sample, other: Sample) -> Sample:
    return replace(row, evidence=other.evidence)


def _missing_name(row: Sample, other: Sample) -> Sample | None:
    pattern, pointer = (_CHINESE_NAME, "它") if is_chinese(row.language) else (_NAME, "it")
    unnamed = pattern.sub(pointer, row.question, count=1)
    return replace(row, question=unnamed) if unnamed != row.question else None


def _half_an_answer(row: Sample, other: Sample) -> Sample | None:
    answer = row.golden_answers[0]
    parts = list(answer) if is_chinese(row.language) else re.findall(r"\S+\s*", answer)
    half = "".join(parts[: len(parts) // 2]).rstrip()
    return replace(row, golden_answers=(half,)) if len(half) >= _LEAST_HALF else None


FAULTS: Mapping[str, Callable[[Sample, Sample], Sample | None]] = {
    "wrong answer": _wrong_answer,
    "other evidence": _other_evidence,
    "missing name": _missing_name,
    "half an answer": _half_an_answer,
}
"""Makers of faults by name: of a row and of another row, or None where the fault cannot be made of the row."""
