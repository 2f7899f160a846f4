"""Refusal of questions that give their answer away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter
from synth.generation.matching.agreement import says_yes
from synth.text.normalise import holds
from synth.text.tokens import content_words

_MIN_WORDS = 3
"""Content words of an answer from which on their share says something."""

_BESIDE = r"(?:\bor\b|\band\b|[,、，]|还是|還是|或者?|和|与|與|及|跟)\s*(?:the\s+|an?\s+)?"


@dataclass(frozen=True)
class LeakedAnswer(Filter):
    """Drop a question that contains its answer, or more than `max_share` of the answer's content words.

    Three words or more are counted so; what "EU law" leaves open in "EU court" is the answer. A yes or no gives nothing
    away, nor does one of the things that a question offers to choose from, by "or", "and", 和, 还是 beside it.
    """

    name: ClassVar[str] = "leaked_answer"
    order: ClassVar[int] = 20
    max_share: float = 0.8

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        asked = set(content_words(sample.question))
        worst = 0.0
        for answer in sample.golden_answers:
            if says_yes(answer) is not None:
                continue
            if holds(sample.question, answer) and not _one_of_several(answer, sample.question):
                return self.verdict(False, f"the question contains the answer '{answer}'", 1.0)
            answer_words = content_words(answer)
            if len(answer_words) >= _MIN_WORDS:
                worst = max(worst, sum(word in asked for word in answer_words) / len(answer_words))
        return self.verdict(
            worst <= self.max_share,
            f"{worst:.0%} of the answer's words stand in the question, at most {self.max_share:.0%} allowed",
            round(worst, 4),
        )


def _one_of_several(answer: str, question: str) -> bool:
    """Test whether an answer stands in a question beside another thing, joined to it by a conjunction."""
    text = re.escape(answer.strip().casefold())
    return bool(re.search(rf"{_BESIDE}{text}|{text}\s*{_BESIDE}", question.casefold()))
