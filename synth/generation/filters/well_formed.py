"""Filter that drops questions that are not well formed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import COMPOSED, Filter, as_meant
from synth.text.language import detect, is_chinese, is_han
from synth.text.normalise import fold_width, simplified_only, to_simplified, traditional_only
from synth.text.quotations import without_quotes

_MARKUP = re.compile(r"\*\*|\]\(|```|</?[a-z]+[^>]*>|\{\s*[#:%]|https?://|www\.|\s[,.;](?:\s|$)|\.\.|,,|�")
_CODE = re.compile(r"`[^`]*`|(?<=[(\[/,])\s?\.\.\.(?=[)\]])")
"""Code in a question, and dots for omissions in brackets. Neither is stray punctuation."""

_MARKS = re.compile(r"[?？]+")
_DOUBLED = re.compile(r"\b(the|a|an|of|to|in|is|was|are|and|for|with|does|did|by|on)\s+\1\b", re.IGNORECASE)
_ENGLISH_ASKS = re.compile(
    r"\b(what|which|who|whom|whose|when|where|why|how)\b|"
    r"^(is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had)\b",
    re.IGNORECASE,
)
_ENGLISH_REQUEST = re.compile(
    r"^(?:please )?(?:name|list|give|describe|explain|identify|define|tell|state)\b", re.IGNORECASE
)
_CHINESE_ASKS = re.compile(
    r"[什甚][么麼]|哪|谁|誰|多少|[几幾]|何|怎|[吗嗎呢啥]|[是能可]否|[还還]是|"
    r"多(?=[长長大高远遠久重深宽寬快厚早])|[A-Za-z\u3400-\u9fff]不"
)
_CHINESE_REQUEST = re.compile(r"^[请請]?(?:[说說列][出举舉明]|列[举舉]|描述|[写寫]出|解[释釋]|介[绍紹])")
_ENGLISH_SECOND = re.compile(
    r",?\s(?:and|or)\s(?:(?:in|on|at|by|for|from|to|of|since|until|after|under)\s)?(?:(?:what|which|who|whom|whose|where|why|"
    r"how)\b|when\s(?:is|was|were|are|did|does|do|will|can|has|had)\b)|,\sand\s(?:is|are|was|were|does|do|did|can|has)\s",
    re.IGNORECASE,
)
_CHINESE_ONE = r"(?:什么|哪|谁|多少|几[个位名年]|为何|怎|是否|何时|何地|吗)"
_CHINESE_SECOND = re.compile(rf"{_CHINESE_ONE}[^，；。]*[，；](?:[^，；]*[，；])?[^，；]*{_CHINESE_ONE}")
"""Second question in the same sentence.

Of the human questions in XQuAD, one in English and none in Chinese has this form.
"""

_PAIRS = (("(", ")"), ("[", "]"), ("（", "）"), ("「", "」"), ("『", "』"), ("《", "》"), ("【", "】"))
_STRAIGHT = str.maketrans("“”", '""')


@dataclass(frozen=True)
class WellFormed(Filter):
    """Keep a single, well-formed question with a question mark or a word that asks or requests.

    Lengths count words in English and characters in Chinese. The default limits fit 99 % of the human questions of
    XQuAD and CMRC 2018. Questions composed of several facts may be `composed` times as long. A row with the style
    "keywords" in its metadata needs no question mark and no question word, and may be shorter.
    """

    name: ClassVar[str] = "well_formed"
    order: ClassVar[int] = 5
    of_wording: ClassVar[bool] = True
    min_words: int = 2
    max_words: int = 36
    min_characters: int = 4
    max_characters: int = 60
    composed: float = 1.5

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        question = as_meant(sample).strip()
        fault = (
            self._form(question, _style(sample))
            or _two(question, sample.language)
            or _language(question, sample.language, _style(sample))
            or self._length(sample)
        )
        return self.verdict(not fault, fault or "one well-formed question")

    def _form(self, question: str, style: str) -> str:
        marks = len(_MARKS.findall(without_quotes(question)))
        if style == "keywords" and marks:
            return "a question mark in a keyword query"
        if marks > 1:
            return f"{marks} questions in one, only one is allowed"
        if marks and not question.rstrip("”\"'」』)） .。").endswith(("?", "？")):
            return "there are words after the question mark"
        if "\n" in question:
            return "the question contains a line break"
        match = _MARKUP.search(_CODE.sub(" ", question))
        if match:
            return f"markup or stray punctuation: '{match.group().strip()}'"
        doubled = _DOUBLED.search(question)
        if doubled:
            return f"the same word twice in a row: '{doubled.group()}'"
        for opening, closing in _PAIRS:
            if question.count(opening) != question.count(closing):
                return f"'{opening}' and '{closing}' do not balance"
        if question.translate(_STRAIGHT).count('"') % 2 or question.count("`") % 2:
            return "quotation marks do not balance"
        return ""

    def _length(self, sample: Sample) -> str:
        question, chinese = sample.question.strip(), is_chinese(sample.language)
        if chinese:
            size, low, high = len(question.strip("？?")), self.min_characters, self.max_characters
        else:
            size, low, high = len(question.split()), self.min_words, self.max_words
        if sample.question_type in COMPOSED:
            high = int(high * self.composed)
        if _style(sample) == "keywords":
            low = 4 if chinese else 2
        return "" if low <= size <= high else f"{size} {'characters' if chinese else 'words'}; {low} to {high} wanted"


def _two(question: str, language: str) -> str:
    """Return the reason why a question asks two things at once, or ""."""
    if is_chinese(language):
        match = _CHINESE_SECOND.search(to_simplified(fold_width(question).replace(",", "，").replace(";", "；")))
    else:
        first = _ENGLISH_ASKS.search(question)
        match = _ENGLISH_SECOND.search(question, first.end() + 1) if first else None
    return f"two questions in one: '{match.group().strip()}'" if match else ""


def _style(sample: Sample) -> str:
    return str(sample.metadata.get("style") or "plain")


def _language(question: str, language: str, style: str) -> str:
    """Return the fault in the language of a question that should be in `language`, or ""."""
    asks = style != "keywords"
    if is_chinese(language):
        if not any(map(is_han, question)):
            return f"not in Chinese ({language})"
        if asks and not (_MARKS.search(question) or _CHINESE_ASKS.search(question) or _CHINESE_REQUEST.match(question)):
            return "neither a question mark nor a question word"
        own, other = simplified_only(), traditional_only()
        if language == "zh-Hant":
            own, other = other, own
        strange = [char for char in question if char in other]
        if len(strange) > 1 and len(strange) > sum(char in own for char in question):
            return f"not in the script of {language}: '{''.join(strange[:5])}'"
        return ""
    if language == "en":
        if any(map(is_han, question)) and detect(question) != "en":
            return "not in English"
        if asks and not (_MARKS.search(question) or _ENGLISH_ASKS.search(question) or _ENGLISH_REQUEST.match(question)):
            return "neither a question mark nor a question word"
    return ""
