"""Texts as the scorer of SQuAD 2.0 compares them."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import lru_cache

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NO_MARKS = str.maketrans("", "", string.punctuation)


@lru_cache(maxsize=2048)
def squad_normalised(text: str) -> str:
    """Lower case, without ASCII punctuation and articles, single spaces (Rajpurkar et al., 2016)."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_MARKS)).split())


def squad_golden(answers: Sequence[str]) -> list[str]:
    """The normalised golden answers that have a word left; only the empty answer where there is none."""
    return [text for text in map(squad_normalised, answers) if text] or [""]
