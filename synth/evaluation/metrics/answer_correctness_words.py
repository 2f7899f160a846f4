"""Substitute for answer_correctness that needs no chat model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.correctness import Correctness


@dataclass(frozen=True)
class AnswerCorrectnessByWords(Correctness):
    """Substitute for answer_correctness: `correctness`, the golden answer's words by weight."""

    name = "answer_correctness~correctness"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False
