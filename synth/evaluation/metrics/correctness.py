"""Whether an answer is right, as people would say, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.base import AnswerMetric, Case
from synth.evaluation.metrics.word_coverage import Said, content, share, weights
from synth.text.stems import stem

_SHORTEST = 4


@dataclass(frozen=True)
class Correctness(AnswerMetric):
    """How much of the golden answer's content the answer says, words by weight; from 0.5 on it counts as right.

    Numbers weigh more, words of the question and function words less; stems, slips of the pen, numerals and
    footnote marks make little difference. A golden answer that stands in the answer whole has 1.
    """

    name = "correctness"
    version = 2

    def compare(self, answer: str, golden: str, case: Case) -> float:
        wanted, found = content(golden), Said.of(content(answer))
        whole = "".join(wanted)
        if len(whole) >= _SHORTEST and whole in found.joined:
            return 1.0
        asked = frozenset(map(stem, content(case.item.question)))
        return share(wanted, weights(wanted, asked), found)
