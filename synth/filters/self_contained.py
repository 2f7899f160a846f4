"""The question can be understood by someone who has not seen the passage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from synth.filters.base import Corpus, Filter, as_meant
from synth.records import Sample, Verdict
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified

_TEXT_NOUNS = "passage|text|document|section|paragraph|article|page|chapter|excerpt|context|author|speaker|narrator"
_BARE_NOUNS = (
    "company|city|town|village|country|state|team|game|film|movie|book|novel|war|battle|band|album|song|river|island|"
    "building|university|school|church|treaty|law|bill|act|party|government|president|king|queen|emperor|system|"
    "process|method|function|class|parameter|argument|object|option|value|variable|example|code|project|study|report|"
    "group|organization|organisation|institution|event|series|episode|character|man|woman|person|people|species|"
    "animal|disease|substance|compound|area|region|site|station|period|century|decade|season|result|command|file|"
    "field|tool|library|package|application|app|feature|thing|problem|case"
)
_ENGLISH = {
    "speaks of the text it was made from": re.compile(
        rf"\b(?:the|this|that|given|provided) (?:\w+ )?(?:{_TEXT_NOUNS})s?\b(?! of | for | in | called )|"
        r"\b(?:according to|mentioned|described|discussed|stated|listed|shown|presented|provided|given)"
        r"(?: (?:in|by|above|below|here|earlier|previously))?(?= the (?:text|passage)| above| below| here|\?)|"
        r"\b(?:the|this) (?:above|following|previous|preceding|next|former|latter|same(?! time)|aforementioned)\b|"
        r"\babove\?|\bbelow\?",
        re.IGNORECASE,
    ),
    "points at something it does not name": re.compile(
        r"\b(?:this|these|those)\b(?! who\b)|"
        rf"\bthe (?:{_BARE_NOUNS})(?:'s)?"
        r"(?=\?| (?:is|was|were|are|be|been|do|did|does|has|have|had|will|would|can|could|should|may|might|must|"
        r"become|became|get|use|make|call|happen|begin|start|end|take|return|mean)\b)",
        re.IGNORECASE,
    ),
    "speaks as the writer": re.compile(r"\b(?:we|us|our|ours|I|me|my|mine|let's)\b(?!-|/)"),
    "depends on when it is asked": re.compile(
        r"\b(?:today|now|currently|nowadays|recently|yesterday|tomorrow|(?:last|next|this) (?:year|month|week)|so far|"
        r"at the moment|at present|these days)\b",
        re.IGNORECASE,
    ),
}
_DUMMY_IT = re.compile(
    r"\bit (?:is|was|be|takes?|took|possible|necessary|recommended|important|required|make sense|mean|better|"
    r"safe|useful|advisable|appropriate|convenient|worth|common|enough|easy|hard|difficult)\b|"
    r"\b(?:does|did|will|would|can) it (?:take|mean|cost)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|one|ones|himself|herself|itself)\b", re.IGNORECASE
)
_NAME_LIKE = re.compile(r"(?<!^)\b[A-Z]\w+|\b\w*[A-Z_./\d]\w*[A-Z_]\w*|\b(?:a|an|your|the) \w{3,}")

_CHINESE = {
    "speaks of the text it was made from": re.compile(
        r"文中|本文|原文|上文|下文|上述|前述|下述|文章|段落|短文|材料[中里]|(?:本|这|该)(?:节|章|页|段|篇|例|教程|文档|书)|"
        r"(?:根据|按照)(?:文|段|材料|资料|以上|以下)|以上(?:内容|代码|例子|示例)|如下|以下(?:内容|代码|例子|示例|哪)|前者|后者|示例中|例子中"
    ),
    "points at something it does not name": re.compile(
        r"(?<!应)(?<!活)该(?!怎|如何|用|不)|此(?!外|前|后)|(?<!因)这|(?<!的)那(?!么)|它|(?<!其)他(?![加国乡人州岛])|她|"
        r"(?<![及与和使极尤让令将把由])其(?!他|它|中|余|实|次)|本(?=公司|人|校|区|市|县|国|站|院|身)|同年|次年|当年|翌年|同月|同日|当时|当地|后来"
    ),
    "speaks as the writer": re.compile(r"我(?=[们的国方是在要想会能可应]|$)|咱|笔者|作者认为"),
    "depends on when it is asked": re.compile(
        r"今天|现在|目前|如今|现今|迄今|至今|最近|近来|去年|明年|今年|昨天|明天|近年|日前"
    ),
}
# "Were A and B built in the same year?" points at nothing but A and B.
_SHARED = re.compile(r"\b(?:and|both)\b.*?\bthe same\b|\bthe same(?= (?:\w+ )?\w+ as\b)")

_ENGLISH_ANSWER = re.compile(
    r"^(?:its|their|his|her|our|my|this|these|those|such|it|they|he|she|another|"
    r"the (?:same|following|above|former|latter|previous|next|other))\b",
    re.IGNORECASE,
)
_ASKS_FOR_CLAUSE = re.compile(r"what happens\b|what is the result\b|why\b|for what reason\b", re.IGNORECASE)
_CHINESE_ANSWER = re.compile(
    r"^(?:该|此(?!外)|其(?!他|中|余|实)|这|那|它|他|她|上述|以上|以下|如下|同样|相同|前者|后者|我们)"
)


@dataclass(frozen=True)
class SelfContained(Filter):
    """Drop what leans on the passage: "this section", "he", "the company", 该公司, 上文, today.

    An answer leans when it begins with such a word: "its backups", 该公司. Whoever asks in conversation
    may speak of themselves.
    """

    name: ClassVar[str] = "self_contained"
    order: ClassVar[int] = 6

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        fault = leaning(as_meant(sample), sample.language, str(sample.metadata.get("style") or "plain"))
        for answer in sample.golden_answers:
            fault = fault or _leaning_answer(answer, sample)
        return self.verdict(not fault, fault or "stands alone")


def leaning(question: str, language: str, style: str = "plain") -> str:
    """Why `question`, in a style, cannot stand alone, or "" when nothing says so."""
    if is_chinese(language):
        patterns, text = _CHINESE, to_simplified(question)
    else:
        patterns, text = _ENGLISH, _SHARED.sub(lambda found: found.group().removesuffix("the same") + "a", question)
    for reason, pattern in patterns.items():
        found = pattern.search(text)
        if found and not (style == "conversational" and reason == "speaks as the writer"):
            return f"{reason}: '{found.group().strip()}'"
    return "" if is_chinese(language) else _dangling(question)


def _leaning_answer(answer: str, sample: Sample) -> str:
    """Why an answer cannot stand alone, or "" when nothing says so.

    A whole clause that answers "What happens when …?" or "Why …?" may speak of what the question names.
    """
    if is_chinese(sample.language):
        found = _CHINESE_ANSWER.match(to_simplified(answer))
    else:
        found = _ENGLISH_ANSWER.match(answer)
        if found and _ASKS_FOR_CLAUSE.match(sample.question) and found.group().lower() in ("it", "they", "he", "she"):
            found = None
    return f"the answer points at something it does not name: '{found.group()}'" if found else ""


def _dangling(question: str) -> str:
    """An English third-person pronoun with nothing before it in the question that it could stand for."""
    without_dummies = _DUMMY_IT.sub("", question)
    for pronoun in _PRONOUN.finditer(without_dummies):
        before = without_dummies[: pronoun.start()]
        if not _NAME_LIKE.search(before):
            return f"points at something it does not name: '{pronoun.group()}'"
    return ""
