"""Scores computed from verdicts on claims, with the formulas of RAGChecker (Ru et al., 2024, `computation.py`).

Names with `answer` refer to claims of the answer, names with `golden` to claims of the golden answer. A verdict is true
if the claim is supported. A table contains one row per claim and one column per passage.

A formula that would divide by zero returns None. RAGChecker returns 0, which looks like a bad answer.
"""

from __future__ import annotations

from collections.abc import Sequence

Column = Sequence[bool]
Table = Sequence[Sequence[bool]]


def mean(verdicts: Column) -> float | None:
    """Return the share of true verdicts; None if there are none.

    It is the precision of the answer's claims, the recall of the golden claims, or faithfulness.
    """
    return sum(verdicts) / len(verdicts) if verdicts else None


def f_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return the weighted harmonic mean; `beta` above 1 gives recall more weight."""
    weight = beta * beta
    below = weight * precision + recall
    return (1 + weight) * precision * recall / below if below else 0.0


def anywhere(table: Table) -> list[bool]:
    """Return for each claim whether any passage supports it."""
    return [any(row) for row in table]


def useful(table: Table) -> list[bool]:
    """Return for each passage whether it supports any claim."""
    return [any(column) for column in zip(*table, strict=True)]


def utilisation(golden_in_passages: Table, golden_in_answer: Column) -> float | None:
    """Return the share of golden claims that the answer states, among those that a passage supports.

    Returns None if no passage supports a golden claim.
    """
    found_in_passages = anywhere(golden_in_passages)
    used = [has and stated for has, stated in zip(found_in_passages, golden_in_answer, strict=True)]
    return sum(used) / sum(found_in_passages) if any(found_in_passages) else None


def noise(answer_in_passages: Table, golden_in_passages: Table, answer_is_right: Column) -> tuple[float, float] | None:
    """Return the noise of relevant and of irrelevant passages, as shares of the answer's claims.

    The first is the share of wrong claims that a relevant passage supports. The second is the share of wrong claims
    that only irrelevant passages support. A passage is relevant if it supports a golden claim. Returns None if the
    answer contains no claim.
    """
    if not answer_is_right:
        return None
    relevant = useful(golden_in_passages)
    wrong = [not right for right in answer_is_right]
    n = len(wrong)
    good = [any(has and matters for has, matters in zip(row, relevant, strict=True)) for row in answer_in_passages]
    bad = [any(has and not matters for has, matters in zip(row, relevant, strict=True)) for row in answer_in_passages]
    from_relevant = sum(supported and is_wrong for supported, is_wrong in zip(good, wrong, strict=True)) / n
    only_bad = [supported and not other for supported, other in zip(bad, good, strict=True)]
    return from_relevant, sum(supported and is_wrong for supported, is_wrong in zip(only_bad, wrong, strict=True)) / n


def unsupported(answer_in_passages: Table, answer_is_right: Column, *, right: bool) -> float | None:
    """Return the share of the answer's claims that are right (or wrong, if not `right`) and that no passage supports.

    Right claims without support are self-knowledge. Returns None if the answer contains no claim.
    """
    if not answer_is_right:
        return None
    there = anywhere(answer_in_passages)
    return sum(not has and is_right == right for has, is_right in zip(there, answer_is_right, strict=True)) / len(there)
