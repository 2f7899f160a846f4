"""Filter that drops questions in another language or script than their documents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter
from synth.text.language import is_chinese, is_han
from synth.text.normalise import simplified_only, traditional_only

_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


@dataclass(frozen=True)
class InLanguage(Filter):
    """Drop a question that is clearly in another language or script than its documents.

    For English documents, this is a question with more letters of other scripts than Latin ones. For Chinese documents,
    it is a question without Chinese characters, or with characters of only the other Chinese script. Questions in other
    languages always pass.
    """

    name: ClassVar[str] = "in_language"
    order: ClassVar[int] = 13
    proves: ClassVar[bool] = True

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        question = sample.question
        if sample.language == "en":
            letters = _LETTER.findall(question)
            if 2 * sum(bool(_LATIN.match(letter)) for letter in letters) < len(letters):
                return self.verdict(False, "the documents are English, the question is not")
        elif is_chinese(sample.language):
            if not any(map(is_han, question)):
                return self.verdict(False, "the documents are Chinese, the question is not")
            simplified = sum(char in simplified_only() for char in question)
            traditional = sum(char in traditional_only() for char in question)
            own, other = (simplified, traditional) if sample.language == "zh-Hans" else (traditional, simplified)
            if other > 1 and not own:
                return self.verdict(False, "the question is in the other Chinese script")
        return self.passed("the question is in the language of its documents")
