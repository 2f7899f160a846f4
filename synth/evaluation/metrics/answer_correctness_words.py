"""Substitute for answer_correctness without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.correctness import Correctness


@dataclass(frozen=True)
class AnswerCorrectnessByWords(Correctness):
    """Without a model, for answer_correctness: `correctness`, the golden answer's words by weight."""

    name = "answer_correctness~correctness"
    default = False
