"""The question does not give its own answer away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.filters.base import Corpus, Filter
from synth.records import Sample, Verdict
from synth.text.normalise import holds
from synth.text.tokens import content_words


@dataclass(frozen=True)
class LeakedAnswer(Filter):
    """Drop a question that contains its answer, or more than `max_share` of the answer's content words."""

    name: ClassVar[str] = "leaked_answer"
    order: ClassVar[int] = 20
    max_share: float = 0.6

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        asked = set(content_words(sample.question))
        worst = 0.0
        for answer in sample.golden_answers:
            if holds(sample.question, answer):
                return self.verdict(False, f"the question contains the answer '{answer}'", 1.0)
            wanted = content_words(answer)
            if wanted:
                worst = max(worst, sum(word in asked for word in wanted) / len(wanted))
        return self.verdict(
            worst <= self.max_share,
            f"{worst:.0%} of the answer's words stand in the question, at most {self.max_share:.0%} allowed",
            round(worst, 4),
        )
