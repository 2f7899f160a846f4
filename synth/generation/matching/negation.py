"""Negation of English and Chinese statements and questions."""

from __future__ import annotations

import re

from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified

_ENGLISH_NOT = re.compile(r"\b(?:not|no|never|cannot|nobody|nothing|none|nor)\b|n't\b", re.IGNORECASE)
_CHINESE_NOT = re.compile(r"不(?![同仅断久过少])|没|未(?!来)|无(?!论)|非(?!常)")
_CHINESE_CHOICE = re.compile(r"([\u3400-\u9fff])不\1|是否|能否|可否|有没有|没有[吗么]")


def negated(text: str, language: str) -> bool:
    """Return whether a text contains an odd number of negations.

    A-not-A questions (是不是, 能不能) do not count as negations.
    """
    if is_chinese(language):
        return len(_CHINESE_NOT.findall(_CHINESE_CHOICE.sub("", to_simplified(fold_width(text))))) % 2 == 1
    return len(_ENGLISH_NOT.findall(text)) % 2 == 1
