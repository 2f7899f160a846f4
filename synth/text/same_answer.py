"""Whether two answers say the same in hardly other words."""

from __future__ import annotations

from synth.text.normalise import normalise
from synth.text.stems import stem

_ARTICLES = frozenset(("a", "an", "the"))
_FEW = 3
"""Words below which an answer may be a value, so that each letter counts."""


def gist(answer: str) -> str:
    """A form that answers have in common which differ in case, punctuation, articles or the endings of words alone.

    "A Certificate-Signing Request" and "certificate signing requests", "which supports" and "which support". Of one or
    two words only case and punctuation may differ: "log" and "logs" are two values.
    """
    words = [word for word in normalise(answer).split() if word not in _ARTICLES]
    return " ".join(words if len(words) < _FEW else map(stem, words))
