"""Filter that drops questions that copy a sentence of their evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import COMPOSED, Filter
from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified
from synth.text.sentences import split_sentences

_LABEL = 3
"""Maximum length of a label before the question in a heading, such as "Q 12:", in words or Chinese characters."""

_UNIT = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:[.'’/-][^\W\u3400-\u9fff]+)*")


@dataclass(frozen=True)
class Copied(Filter):
    """Drop a question that copies a long run of words from one sentence of its evidence.

    Runs are counted in words in English. In Chinese they are counted in characters, and a Latin word counts as one
    character. The score is the run's share of the question. The defaults are the 99th percentile of the human questions
    of XQuAD (English) and CMRC 2018 (Chinese). A heading that is the question itself does not count. Question types
    that combine facts or conditions may copy `composed` times as much.
    """

    name: ClassVar[str] = "copied"
    order: ClassVar[int] = 25
    of_wording: ClassVar[bool] = True
    max_words: int = 10
    max_characters: int = 18
    composed: float = 1.5

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        high = self.max_characters if is_chinese(sample.language) else self.max_words
        if sample.question_type in COMPOSED:
            high = int(high * self.composed)
        asked = _units(sample.question)
        run = max((_longest_run(asked, text) for text in corpus.texts(sample)), default=0)
        return self.verdict(
            run <= high,
            f"{run} words or characters in a row are copied from the evidence, at most {high} allowed",
            round(run / max(1, len(asked)), 4),
        )


def _longest_run(asked: list[str], text: str) -> int:
    """Return the length of the longest run of `asked` in one sentence of `text`."""
    matcher = SequenceMatcher(None, asked, (), autojunk=False)
    longest = 0
    for start, end in split_sentences(text):
        units = _units(text[start:end])
        if units[-len(asked) :] == asked and len(units) <= len(asked) + _LABEL:
            continue  # a heading that is this question
        matcher.set_seq2(units)
        longest = max(longest, matcher.find_longest_match().size)
    return longest


def _units(text: str) -> list[str]:
    """Split a text as CMRC 2018 does: into Chinese characters, and whole words and identifiers of other scripts."""
    return _UNIT.findall(to_simplified(fold_width(text)).casefold())
