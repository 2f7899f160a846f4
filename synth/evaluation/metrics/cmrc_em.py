"""Exact match of CMRC 2018 (Cui et al., 2019)."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.cmrc import without_marks
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class CmrcExactMatch(AnswerMetric):
    """Exact match of CMRC 2018: lower case, without the marks of its list; script and width count."""

    name = "cmrc_em"
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return float(without_marks(answer) == without_marks(golden))
