"""F1 of CMRC 2018 (Cui et al., 2019)."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.cmrc import cmrc_f1
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class CmrcF1(AnswerMetric):
    """F1 of CMRC 2018: the longest run of characters that answer and golden answer share."""

    name = "cmrc_f1"
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return cmrc_f1(answer, golden)
