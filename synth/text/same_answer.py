"""Comparison of answers that hardly differ in wording."""

from __future__ import annotations

from synth.text.normalise import normalise
from synth.text.stems import stem

_ARTICLES = frozenset(("a", "an", "the"))
_FEW = 3
"""Minimum number of words at which word endings are ignored. A shorter answer may be a value."""


def gist(answer: str) -> str:
    """Return a form for comparison. Answers that differ only in case, punctuation, articles or word endings share it.

    Examples: "A Certificate-Signing Request" and "certificate signing requests", "which supports" and "which support".
    Answers of one or two words may differ only in case, punctuation and articles: "log" and "logs" are two values.
    """
    words = [word for word in normalise(answer).split() if word not in _ARTICLES]
    return " ".join(words if len(words) < _FEW else map(stem, words))
