"""Correctness of an answer as people judge it, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.word_coverage import WordIndex, content, share, weights
from synth.evaluation.metrics.base import AnswerMetric, Case
from synth.text.stems import stem

_SHORTEST = 4


@dataclass(frozen=True)
class Correctness(AnswerMetric):
    """Share of the golden answer's words that the answer has, by weight; right from 0.5 on.

    Numbers weigh more, words of the question and function words less; stems, slips of the pen, numerals and
    footnote marks make little difference. A golden answer that stands in the answer whole has 1.
    """

    name = "correctness"
    version = 2

    def compare(self, answer: str, golden: str, case: Case) -> float:
        wanted, given = content(golden), WordIndex.of(content(answer))
        whole = "".join(wanted)
        if len(whole) >= _SHORTEST and whole in given.joined:
            return 1.0
        asked = frozenset(map(stem, content(case.item.question)))
        return share(wanted, weights(wanted, asked), given)
