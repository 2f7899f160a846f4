"""Stems of words.

English words are stemmed by Snowball, after a table of irregular forms. Every other word is its own stem.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from synth.text.inflection import BASE_OF
from synth.text.tokens import content_words

# Nouns and adjectives that a question and its passage use for each other, as in "how tall" and "the height".
_RELATED = {
    "death": "die", "birth": "bear", "height": "tall", "high": "tall", "length": "long",
    "width": "wide", "depth": "deep", "marriage": "marry",
}  # fmt: skip


_OTHER_HEADS = {*BASE_OF, *_RELATED, "dying", "lying", "tying"}
"""Words whose stem may start with other letters than the word, such as "went"."""


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a lower-case word: one stem for "stations" and "station", one for "wrote" and "writing".

    English stems are from Snowball's stemmer (Porter 2001, https://snowballstem.org/algorithms/english/stemmer.html).
    Any other word is returned unchanged.
    """
    if not (word.isascii() and word.isalpha()):
        return word
    return str(_snowball().stemWord(BASE_OF.get(word) or _RELATED.get(word, word)))


def stemmed(vocabulary: Iterable[str], wanted: Collection[str]) -> dict[str, str]:
    """Map each word of `vocabulary` whose stem is in `wanted` to that stem.

    To save time, a word is stemmed only if a wanted stem has the same first two letters, or if it is irregular.
    """
    heads = {key[:2] for key in wanted}
    candidates = (word for word in vocabulary if word[:2] in heads or word in _OTHER_HEADS)
    return {word: key for word in candidates if (key := stem(word)) in wanted}


def stems(text: str) -> list[str]:
    """Return the stems of the content words of a text, in order."""
    return [stem(word) for word in content_words(text)]


@lru_cache(maxsize=1)
def _snowball() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
