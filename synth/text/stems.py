"""Words by their beginnings: enough to bring "decided" and "decision" together."""

from __future__ import annotations

from synth.text.tokens import content_words

STEM = 5
"""Letters of an English word that count."""


def stem(word: str) -> str:
    """The beginning of an English word; any other as it is."""
    return word[:STEM] if word.isascii() and word.isalpha() else word


def stems(text: str) -> list[str]:
    """Words that carry content, English ones by their beginning."""
    return [stem(word) for word in content_words(text)]
