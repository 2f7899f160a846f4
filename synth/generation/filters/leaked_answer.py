"""Filter that drops questions that give their answer away."""

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
"""Minimum number of content words in an answer for `max_share` to apply."""

_BESIDE = r"(?:\bor\b|\band\b|[,、，]|还是|還是|或者?|和|与|與|及|跟)\s*(?:the\s+|an?\s+)?"


@dataclass(frozen=True)
class LeakedAnswer(Filter):
    """Drop a question that contains its answer, or more than `max_share` of the answer's content words.

    The share counts only for answers of at least three content words. In a shorter answer such as "EU court", the word
    that the question lacks may be the real answer. Two kinds of answers always pass: yes and no, and an option that the
    question offers beside another one with "or", "and", 和 or 还是.
    """

    name: ClassVar[str] = "leaked_answer"
    order: ClassVar[int] = 20
    of_wording: ClassVar[bool] = True
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
            f"{worst:.0%} of the answer's words occur in the question, at most {self.max_share:.0%} allowed",
            round(worst, 4),
        )


def _one_of_several(answer: str, question: str) -> bool:
    """Return whether the question offers the answer as one of several options, joined by a conjunction."""
    text = re.escape(answer.strip().casefold())
    return bool(re.search(rf"{_BESIDE}{text}|{text}\s*{_BESIDE}", question.casefold()))
