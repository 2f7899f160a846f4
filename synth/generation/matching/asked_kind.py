"""Kind of answer that a question asks for: a time, a year or a quantity, English and Chinese."""

from __future__ import annotations

import re

from synth.text.calendar_names import MONTHS, WEEKDAYS
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified
from synth.text.numerals import NUMBER_WORDS, SCALES

_NUMBER_WORD = (
    rf"\d|\b(?:{'|'.join(NUMBER_WORDS)}|(?:hundred|{'|'.join(SCALES)}|dozen)s|dozen|half|quarter|third|once|twice|single|several|few|many|all|no|none|"
    r"both|double)\b"
)
_DAYS = "|".join([*MONTHS, *WEEKDAYS]).casefold() + "|morning|evening|noon|midnight|night"
_SPANS = "spring|summer|autumn|fall|winter|centur(?:y|ies)|decade|year|month|week|day|time|era|age|period|end|start|war"
_TIME_WORD = rf"\d|\b(?:{_DAYS}|{_SPANS}|\w+th|first|second|before|after|when|while|during|until|once|as soon as)\b"
_QUANTITY = _NUMBER_WORD + r"|\b(?:every|each|always|never|most|majority|minority|as )"
_CHINESE_NUMERAL = r"\d|[〇零一二三四五六七八九十百千万亿两半数几双多少全无没]"

_Kinds = tuple[tuple[re.Pattern[str], str, str], ...]


def _kinds(*rows: tuple[str, str, str]) -> _Kinds:
    """Rows of three: a pattern of questions, a pattern of fitting answers, and the name of their kind."""
    return tuple((re.compile(asks, re.IGNORECASE), fits, kind) for asks, fits, kind in rows)


_ENGLISH_KINDS = _kinds(
    (
        r"^(?:in |on |by |since |until |from |during )?(?:what|which) (?:year|date|day|month|decade|century)\b",
        _TIME_WORD,
        "a time",
    ),
    (r"^when (?:is|was|were|are|did|does|do|will|can|should|must|has|had)\b", _TIME_WORD, "a time"),
    (r"\bhow (?:many|old|tall|heavy)\b|\bwhat number of\b", _QUANTITY, "a quantity"),
)
_CHINESE_KINDS = _kinds(
    (r"多少|(?<!哪)几[个位名条座年月天种次部家人间层所部本艘架级届项支]", _CHINESE_NUMERAL, "a quantity"),
    (r"哪一?年|何年", r"\d{2,}|[〇零一二三四五六七八九十]{2,}|年", "a year"),
    (
        r"什么时候|何时|哪一[天日]|哪个?(?:世纪|年代|朝代|时期)|什么时间",
        r"[\d一二三四五六七八九十年月日时代朝纪期季春夏秋冬前后晨夜末初岁]",
        "a time",
    ),
)


def asked_kind(question: str, language: str) -> tuple[str, str] | None:
    """Kind of answer that a question asks for: the pattern of a fitting answer and its name, or None for any kind.

    In Chinese the pattern is one of simplified, half-width text.
    """
    chinese = is_chinese(language)
    folded = to_simplified(question) if chinese else question
    kinds = _CHINESE_KINDS if chinese else _ENGLISH_KINDS
    return next(((pattern, kind) for asks, pattern, kind in kinds if asks.search(folded)), None)
