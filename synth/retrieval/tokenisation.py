"""Tokens of the reference retrievers other than words: pieces of words, and a part of the words."""

from __future__ import annotations

from synth.core.records import digest
from synth.text.normalise import normalise
from synth.text.tokens import content_words

_PIECE, _CHINESE_PIECE = 4, 2


def pieces(text: str) -> list[str]:
    """Every two Chinese characters in a row, every four letters in a row of other words."""
    found: list[str] = []
    for word in normalise(text).split():
        size = _PIECE if word.isascii() else _CHINESE_PIECE
        found += [word[i : i + size] for i in range(max(1, len(word) - size + 1))]
    return found


def some_words(text: str, share: float) -> list[str]:
    """The words of a text without those that chance, the same for a word everywhere, leaves out."""
    return [word for word in content_words(text) if int(digest(word)[:8], 16) < share * 0x1_0000_0000]
