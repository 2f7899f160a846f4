"""Answers to yes-or-no questions: yes or no, and whether it depends on a condition. English and Chinese."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from synth.evaluation.measuring.polarity import negated
from synth.evaluation.measuring.word_coverage import content
from synth.text.language import HAN
from synth.text.stems import stem
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

_ECHO = 0.5
"""Minimum share of the question's words in a sentence that answers it without yes or no."""

_BARE_WORDS, _BARE_LENGTH = 3, 16
_HAN = re.compile(f"[{HAN}]")
_CLAUSE = re.compile(r"[,，;；.。:：!！\n]|\s[-–—]\s")
_OR = re.compile(r"\bor\b|还是")


@lru_cache(maxsize=2048)
def asks_yes_or_no(question: str) -> bool:
    """Return whether a question asks for yes or no. "A or B?" and negated questions do not.

    The question must be in simplified script.
    """
    if _OR.search(question) or negated(_pattern("asks", "zh").sub("", question)):
        return False
    last = _CLAUSE.split(question.strip(" ?？"))[-1].strip()
    first = _CLAUSE.split(question)[0].strip()
    auxiliary = _pattern("asks", "en")
    return bool(auxiliary.match(first) or auxiliary.match(last) or _pattern("asks", "zh").search(question))


@lru_cache(maxsize=4096)
def begins_with_yes(answer: str) -> bool | None:
    """Return whether an answer begins with a word for yes (True) or no (False); None if it begins with neither."""
    plain = answer.strip(" \"'“”‘’")
    for language in ("en", "zh"):
        for word, value in (("no", False), ("yes", True)):
            if _pattern(word, language).match(plain):
                return value
    return None


@lru_cache(maxsize=4096)
def says_yes(answer: str, question: str) -> bool | None:
    """Return whether an answer to a yes-or-no question means yes (True) or no (False); None if unknown.

    The answer begins with yes or no, or a clause repeats words of the question and states or denies them. A denial
    needs only one word of the question.
    """
    told = begins_with_yes(answer)
    if told is not None:
        return told
    asked = [stem(word) for word in content(question) if word not in ENGLISH_STOP and word not in CHINESE_STOP]
    for clause in _CLAUSE.split(answer):
        known, joined = {stem(word) for word in content(clause)}, "".join(content(clause))
        shared = sum(word in known or (bool(_HAN.match(word)) and word in joined) for word in asked)
        if shared and (shared >= _ECHO * len(asked) or _denies(clause, question)):
            return negated(_without_denials(clause, question)) == _denies(clause, question)
    return None


def is_bare(answer: str) -> bool:
    """Return whether an answer says only yes or no."""
    return begins_with_yes(answer) is not None and len(answer.split()) <= _BARE_WORDS and len(answer) <= _BARE_LENGTH


def conditional(text: str) -> bool:
    """Return whether a text makes its yes or no depend on a condition."""
    return any(_pattern("condition", language).search(text) for language in ("en", "zh"))


def _denials(clause: str, question: str) -> list[str]:
    """Return the words of a clause that deny, such as "prohibited" or 禁用, and are not in the question."""
    words = [match[0] for language in ("en", "zh") for match in _pattern("denies", language).finditer(clause)]
    return [word for word in words if word.casefold() not in question.casefold()]


def _denies(clause: str, question: str) -> bool:
    return len(_denials(clause, question)) % 2 == 1


def _without_denials(clause: str, question: str) -> str:
    for word in _denials(clause, question):
        clause = clause.replace(word, " ")
    return clause


@cache
def _pattern(name: str, language: str) -> re.Pattern[str]:
    pattern = _table()[name][language]
    if language == "en" and name != "condition":
        pattern = rf"\b(?:{pattern})\b"
    return re.compile(pattern, re.IGNORECASE)


@cache
def _table() -> Any:
    return json.loads(files(__package__).joinpath("yes_no.json").read_text(encoding="utf-8"))
