"""Refusal of questions that copy a sentence of their evidence."""

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
"""Most words, or Chinese characters, before a question in a heading: "Q 12:"."""

_UNIT = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:[.'’/-][^\W\u3400-\u9fff]+)*")


@dataclass(frozen=True)
class Copied(Filter):
    """Drop a question that copies too long a run of a sentence of its evidence.

    The run is counted in words in English; in Chinese in characters, a Latin word being one. The score
    is its share of the question. The defaults are the 99th percentile of the human questions of XQuAD
    in English and of CMRC 2018 in Chinese. A heading that asks the question itself does not count; a question
    that is worked out must say what from, and may take `composed` times as much.
    """

    name: ClassVar[str] = "copied"
    order: ClassVar[int] = 25
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
            f"a run of {run} copied from the evidence, at most {high} allowed",
            round(run / max(1, len(asked)), 4),
        )


def _longest_run(asked: list[str], text: str) -> int:
    """The longest run of `asked` that one sentence of `text` has."""
    matcher = SequenceMatcher(None, asked, (), autojunk=False)
    longest = 0
    for start, end in split_sentences(text):
        units = _units(text[start:end])
        if units[-len(asked) :] == asked and len(units) <= len(asked) + _LABEL:
            continue  # a heading that asks this question: it has one asker more
        matcher.set_seq2(units)
        longest = max(longest, matcher.find_longest_match().size)
    return longest


def _units(text: str) -> list[str]:
    """Chinese characters, and words and identifiers of other scripts: the character scheme of CMRC 2018."""
    return _UNIT.findall(to_simplified(fold_width(text)).casefold())
