"""Filter that drops questions that nobody understands without their passage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import ADOPTED, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter, as_meant
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified
from synth.text.quotations import without_quotes
from synth.text.tokens import content_words

_TEXT_NOUNS = "passage|text|document|section|paragraph|article|page|chapter|excerpt|author|narrator"
_TELLS = "say|state|mention|describe|discuss|explain|list|show|suggest|recommend|argue|claim"
_BARE_NOUNS = (
    "company|city|town|village|country|state|team|game|film|movie|book|novel|war|battle|band|album|song|river|island|"
    "building|university|school|church|treaty|law|bill|act|party|government|president|king|queen|emperor|system|"
    "process|method|function|class|parameter|argument|object|option|value|variable|example|code|project|study|report|"
    "group|organization|organisation|institution|event|series|episode|character|man|woman|person|people|species|"
    "animal|disease|substance|compound|area|region|site|station|period|century|decade|season|result|command|file|"
    "field|tool|library|package|application|app|feature|thing|problem|case"
)
_ENGLISH = {
    "refers to the text it was made from": re.compile(
        rf"\bthe (?:given |provided )?(?:{_TEXT_NOUNS})(?=\?|,|'s title| (?:{_TELLS})s?\b)|"
        rf"\baccording to the (?:{_TEXT_NOUNS})\b|"
        r"\b(?:mentioned|described|discussed|stated|listed|shown|given) (?:above|below|here|earlier|previously)\b|"
        r"\bthe (?:above|aforementioned|following(?! (?:day|week|month|year|season)))\b",
        re.IGNORECASE,
    ),
    "speaks as the writer of the text": re.compile(r"\b(?:we|our|ours|let's)\b(?!-|/)"),
    "depends on when it is asked": re.compile(
        r"\b(?:yesterday|tomorrow|(?:last|next|this) (?:year|month|week))\b", re.IGNORECASE
    ),
}
_BARE = re.compile(
    rf"\bthe (?:{_BARE_NOUNS})(?:'s)?"
    r"(?=\?| (?:is|was|were|are|be|been|do|did|does|has|have|had|will|would|can|could|should|may|might|must|"
    r"become|became|get|use|make|call|happen|begin|start|end|take|return|mean)\b)",
    re.IGNORECASE,
)
_DUMMY_IT = re.compile(
    r"\bit (?:\w+ly )?(?:is|was|be|takes?|took|possible|necessary|recommended|important|required|make sense|mean|"
    r"better|safe|useful|advisable|appropriate|convenient|worth|common|enough|easy|hard|difficult|impossible|likely|unlikely|"
    r"true|clear|unclear|essential|crucial|critical|vital|legal|illegal|allowed|dangerous|helpful|called (?:when|if)|"
    r"\w+ed (?:how|that|whether))\b|"
    r"\b(?:is|isn['’]t|was|be) it (?:\w+ly |too |really |still )?(?!\w+ed\b)\w+ to "
    r"(?!the\b|an?\b|this\b|my\b|your\b)(?-i:[a-z])|\b(?:does|did|will|would|can) it (?:take|mean|cost|matter)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\b(?:(?P<noun>this|these)|(?P<one>he|she|it(?!['’]s)|him|hers|himself|herself|itself)|"
    r"(?P<any>they|them|theirs|themselves|his|her|its|their))\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!^)\b[A-Z]\w+|\b(?:[^\WA-Z_\d]*+[A-Z_\d]|\w*+[./])\w*[A-Z_]\w*")
_THING = re.compile(rf"{_NAME.pattern}|\b(?:a|an|your|[Mm]y|[Oo]ur|the) \w{{3,}}")
_CLAUSE = re.compile(r"^(?:if|when|while|although|though|after|before|because|since|as|given)\b[^,]*,", re.IGNORECASE)

_CHINESE = {
    "refers to the text it was made from": re.compile(
        r"(?:^|[在从据，,])文中|本文|上文|(?<!上)下文|上述|前述|下述|文章[中里说提]|材料[中里]|"
        r"(?:本|这|这一|该)(?:节|章|页|段|篇|例|教程|文档|文章|段落|短文)|"
        r"(?:根据|按照)(?:文|段|材料|以上|以下)|以[上下](?:内容|代码|例子|示例)|^[在从]?(?:示例|例子)中"
    ),
    "speaks as the writer of the text": re.compile(r"我们|咱们|笔者|作者认为"),
    "depends on when it is asked": re.compile(r"去年|明年|今年|昨天|明天|日前"),
}
_CHINESE_POINTER = re.compile(
    r"(?<![应活])该(?!怎|如何|用|不)|(?<![因由如为对至就彼])此(?!外|前|后)|(?<!因)这|那(?=[个些位座种部本家条次])|"
    r"(?<!其)它|(?<![其吉])他(?![加国乡人州岛])|她|(?:^|[，,])其(?!他|它|中|余|实|次)|"
    r"(?:^|[，,在由])本(?=公司|人|校|区|市|县|国|站|院|身)|^(?:同|次|翌)年|^同[月日]"
)
_CHINESE_TIME = re.compile(
    r"[\d年月日时初末底前后第一二三四五六七八九十〇零世纪代]+|截至|目前|现在|如今|最初|最后|首次"
)

_ENGLISH_ANSWER = re.compile(
    r"^(?:this|these|the (?:same|following|above|former|latter|aforementioned))\b", re.IGNORECASE
)
_CHINESE_ANSWER = re.compile(r"^(?:上述|以上|以下|如下|前者|后者)")


@dataclass(frozen=True)
class SelfContained(Filter):
    """Drop a sample that readers cannot understand without its passage.

    Examples are "this section", "he", "the company", 该公司, 上文 and "last year".

    A pronoun or pointing word is a fault if nothing before it in the question can be what it refers to. "The company"
    is a fault if the question contains no name at all. An answer is at fault if it points to the text: "the following",
    上述. Conversational questions and adopted rows may use "we" and "our".
    """

    name: ClassVar[str] = "self_contained"
    order: ClassVar[int] = 6
    of_wording: ClassVar[bool] = True

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        asked = sample.metadata.get("source") == ADOPTED
        style = str(sample.metadata.get("style") or ("conversational" if asked else "plain"))
        fault = leaning(as_meant(sample), sample.language, style)
        for answer in sample.golden_answers:
            fault = fault or _leaning_answer(answer, sample.language)
        return self.verdict(not fault, fault or "understandable without its passage")


def leaning(question: str, language: str, style: str = "plain") -> str:
    """Return the reason why `question`, in this style, cannot be understood alone, or "" if there is none."""
    chinese = is_chinese(language)
    patterns = _CHINESE if chinese else _ENGLISH
    text = without_quotes(to_simplified(question), "《名》") if chinese else without_quotes(question, "Named")
    for reason, pattern in patterns.items():
        match = pattern.search(text)
        if match and not (style == "conversational" and reason == "speaks as the writer of the text"):
            return f"{reason}: '{match.group().strip()}'"
    pointer = _pointer_chinese(text) if chinese else _pointer_english(text)
    return f"refers to something that it does not name: '{pointer}'" if pointer else ""


def _leaning_answer(answer: str, language: str) -> str:
    """Return the reason why an answer cannot be understood alone, or "" if there is none."""
    pointer = _CHINESE_ANSWER.match(to_simplified(answer)) if is_chinese(language) else _ENGLISH_ANSWER.match(answer)
    return f"the answer refers to something that it does not name: '{pointer.group()}'" if pointer else ""


def _pointer_english(question: str) -> str:
    """Return a pronoun or pointing word of an English question that refers to nothing before it, or ""."""
    text = _DUMMY_IT.sub("", question)
    for pointer in _POINTER.finditer(text):
        before = text[: pointer.start()]
        if not _named(before, pointer):
            return pointer.group()
    bare = _BARE.search(question)
    return bare.group() if bare and not re.search(r"(?<!^)\b[A-Z]|\d", question) else ""


def _named(before: str, pointer: re.Match[str]) -> bool:
    """Return whether a word before a pronoun or pointing word can be what it refers to."""
    if pointer["noun"]:
        return bool(_NAME.search(before) or _CLAUSE.match(before))
    return bool(_THING.search(before) or (pointer["any"] and content_words(before)))


def _pointer_chinese(question: str) -> str:
    """Return a pronoun or pointing word of a Chinese question that refers to nothing before it, or ""."""
    for pointer in _CHINESE_POINTER.finditer(question):
        if not content_words(_CHINESE_TIME.sub("", question[: pointer.start()])):
            return pointer.group().strip("，,")
    return ""
