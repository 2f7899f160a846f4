"""Tokenisers of the reference retrievers: character n-grams, and a random share of the words."""

from __future__ import annotations

from synth.core.records import digest
from synth.text.normalise import normalise
from synth.text.tokens import content_words

_PIECE, _CHINESE_PIECE = 4, 2


def pieces(text: str) -> list[str]:
    """Character n-grams: four letters of a word, or two characters of Chinese."""
    grams: list[str] = []
    for word in normalise(text).split():
        size = _PIECE if word.isascii() else _CHINESE_PIECE
        grams += [word[i : i + size] for i in range(max(1, len(word) - size + 1))]
    return grams


def some_words(text: str, share: float) -> list[str]:
    """A `share` of the words of a text, chosen by their hash, so that a word is chosen everywhere or nowhere."""
    return [word for word in content_words(text) if int(digest(word)[:8], 16) < share * 0x1_0000_0000]
