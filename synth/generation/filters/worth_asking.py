"""Filter that drops questions that no user would ask."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import ClassVar

from synth.core.records import ADOPTED, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter
from synth.generation.matching.agreement import says_yes
from synth.generation.matching.asked_kind import asked_kind
from synth.text.language import is_chinese
from synth.text.tokens import content_words

_ADDRESS = re.compile(
    r"https?://|www\.|\S@\S+\.\w|^[\w./\\-]+\.(?:md|html?|txt|png|jpe?g|svg|gif|rst|pdf)$", re.IGNORECASE
)
_CREDIT = re.compile(r"\bPR #?\d|\bby \[?@\w|\]\([^)]{0,2000}/pull/\d|^\s*(?:©|copyright\b)", re.IGNORECASE)
_VERSION = re.compile(r"^\[?(?:v\d+(?:\.\d+)+|\d+(?:\.\d+)+\]?\s*(?:$|[-–—:(（]|\d{4}))", re.IGNORECASE)
_LINK = re.compile(r"\]\([^)\s]{1,2000}+\)|https?://\S+")
_EMPTY_ANSWER = frozenset(
    "it this that these those they them he she we you one ones thing things something anything everything "
    "way ways other others same more most it's there here example examples".split()
) | frozenset(
    "它 他 她 这 那 这个 那个 这些 那些 其 此 等 以下 如下 内容 东西 事情 方式 方法 情况 一个 一种 部分".split()
)


@dataclass(frozen=True)
class WorthAsking(Filter):
    """Drop a sample with nothing to search for, an empty answer, or an address or a credit instead of a fact.

    A question needs at least `min_content_words` content words. An answer may have at most `max_answer_words` words in
    English, and at most `max_answer_characters` characters in Chinese. With the defaults, all answers of XQuAD and 99 %
    of the answers of CMRC 2018 pass. An answer that is a whole list or procedure may be `of_list` times as long.
    Answers of adopted rows, which people wrote, may have any length and contain an address.
    """

    name: ClassVar[str] = "worth_asking"
    order: ClassVar[int] = 15
    of_wording: ClassVar[bool] = True
    min_content_words: int = 1
    max_answer_words: int = 64
    max_answer_characters: int = 180
    of_list: float = 2.6

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        fault = self._question(sample) or next(
            filter(None, (self._answer(a, sample) for a in sample.golden_answers)), ""
        )
        for piece in sample.evidence:
            fault = fault or _evidence(piece.text, sample) or _change(corpus.line(piece), corpus.headings(piece))
        return self.verdict(not fault, fault or "worth asking")

    def _question(self, sample: Sample) -> str:
        content = content_words(sample.question)
        if len(content) < self.min_content_words:
            return f"{len(content)} content words in the question, at least {self.min_content_words} needed"
        return ""

    def _answer(self, answer: str, sample: Sample) -> str:
        bare = answer.strip().strip(".。,，").casefold()
        if says_yes(answer) is not None:
            return ""
        kind = asked_kind(sample.question, sample.language)
        empty = bare in _EMPTY_ANSWER and not (kind and kind.fits(answer))
        if empty or not any(char.isalnum() for char in bare):
            return f"the answer '{answer}' contains no information"
        if sample.metadata.get("source") == ADOPTED:
            return ""
        if _ADDRESS.search(answer) and not asks_for_address(sample.question):
            return f"the answer is an address or a file name: '{answer[:60]}'"
        if is_chinese(sample.language):
            size, high, unit = len(answer), self.max_answer_characters, "characters"
        else:
            size, high, unit = len(answer.split()), self.max_answer_words, "words"
        if sample.metadata.get("items"):
            high = int(high * self.of_list)
        return "" if size <= high else f"the answer has {size} {unit}, at most {high} allowed"


def asks_for_address(question: str) -> bool:
    """Return whether a question asks for a place or for an address, so that an address can answer it."""
    return any(pattern.search(question) for pattern in _asked_addresses())


@lru_cache(maxsize=1)
def _asked_addresses() -> tuple[re.Pattern[str], ...]:
    table = json.loads(files(__package__).joinpath("asked_addresses.json").read_text(encoding="utf-8"))
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in table["patterns"])


def _evidence(text: str, sample: Sample) -> str:
    """Return why a piece of evidence is a list of links rather than a statement, or "". Adopted rows always get ""."""
    if sample.metadata.get("source") == ADOPTED:
        return ""
    links = sum(len(match) for match in _LINK.findall(text))
    return "the evidence is mostly links" if links > 0.6 * len(text) else ""


def _change(line: str, headings: tuple[str, ...]) -> str:
    """Return the reason why the evidence is a change log entry, or "".

    Such an entry credits an author, or stands under a version number.
    """
    if _CREDIT.search(line):
        return "the evidence is a credit or a change log entry"
    versions = [heading for heading in headings if _VERSION.match(heading)]
    return f"the evidence is a change log entry, under '{versions[0]}'" if versions else ""
