"""Questions that ask for a decision: yes or no, or one of two things. English and Chinese."""

from __future__ import annotations

import re

from synth.text.language import is_chinese
from synth.text.normalise import to_simplified

_ENGLISH = re.compile(
    r"(?:^|[,;:.!]\s+(?:and\s+|so\s+|then\s+)?)(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|"
    r"might|must|has|have|had)(?:n['’]t)?\s|\bor\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"([\u3400-\u9fff])不\1|[吗嘛]|是否|能否|可否|有没有|还是|[买选用]哪")


def asks_for_decision(question: str, language: str) -> bool:
    """Return whether a question asks for yes or no, or for one of several things."""
    if is_chinese(language):
        return _CHINESE.search(to_simplified(question)) is not None
    return _ENGLISH.search(question.strip()) is not None
