"""Comparison of texts that are nearly equal character by character, in either Chinese script."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from synth.text.normalise import normalise
from synth.text.stems import stems
from synth.text.tokens import content_words, numbers, words

SAME = 0.8
"""Minimum share of the shorter text's shingles (character n-grams) that two texts must share to count as the same.

A page and its Taiwanese edition, which uses some other words, share at least 0.83. Pages that follow one template share
up to 0.7, and two of 120 recipes share 0.4.
"""

COPIED = 0.35
"""Minimum share of the shorter text, in characters, that shared sentences must cover to make two texts near copies."""

_SAME_WORDS, _SAME_FIGURES = 0.7, 0.4
"""Minimum share of the shorter sentence's words that two sentences of the same meaning have in common.

The second number is for sentences with at least two common figures, the first for other sentences.
"""

_FEWEST_WORDS, _FEWEST_FIGURES = 4, 2  # minimum words of a compared sentence, minimum common figures
_HAN_SHINGLE, _SHINGLE = 3, 5
_SHORTEST_HAN, _SHORTEST = 8, 16  # minimum characters of a compared sentence
_NAME = re.compile(r"(?<=[\w,] )[A-Z]\w*")  # within a sentence
_END = re.compile(r"[.!?;]\s|[。！？；\n|]")


def is_same_text(one: str, other: str) -> bool:
    """Return whether two texts are the same, or one contains the other.

    Chinese script, case and a few words may differ.
    """
    shorter, longer = sorted((_shingles(one), _shingles(other)), key=len)
    return bool(shorter) and len(shorter & longer) >= SAME * len(shorter)


def is_near_copy(one: str, other: str) -> bool:
    """Return whether two texts share many sentences, as two editions of a page for two groups of readers do.

    The shared sentences must make up `COPIED` of the shorter text. Pages from one template that differ in names and
    numbers are not near copies.
    """
    shorter, longer = sorted((_sentences(one), _sentences(other)), key=lambda parts: sum(map(len, parts)))
    return bool(shorter) and sum(map(len, shorter & longer)) >= COPIED * sum(map(len, shorter))


def says_the_same(one: str, other: str) -> bool:
    """Return whether two sentences state the same fact, judged by their words and figures.

    Sentences with the same meaning share most words, or at least two figures and some words. Two sentences state
    different facts if each has a figure that the other lacks. Unless they share two figures, they also state different
    facts if each has a name that the other lacks.
    """
    first, second = _fact(one), _fact(other)
    fewest = min(len(first.stems), len(second.stems))
    if fewest < _FEWEST_WORDS or (first.figures - second.figures and second.figures - first.figures):
        return False
    share = len(first.stems & second.stems) / fewest
    if len(first.figures & second.figures) >= _FEWEST_FIGURES:
        return share >= _SAME_FIGURES
    return share >= _SAME_WORDS and not (first.names - second.words and second.names - first.words)


@dataclass(frozen=True, slots=True)
class _Fact:
    """Words of a sentence, stems of its content words, its figures, and its words with a capital."""

    words: frozenset[str]
    stems: frozenset[str]
    figures: frozenset[str]
    names: frozenset[str]


@lru_cache(maxsize=4096)
def _fact(text: str) -> _Fact:
    first = [word for word in content_words(text)[:1] if text.lstrip()[:1].isupper()]
    names = [*first, *(match.casefold() for match in _NAME.findall(text))]
    return _Fact(frozenset(words(text)), frozenset(stems(text)), numbers(text), frozenset(names))


@lru_cache(maxsize=1024)
def _sentences(text: str) -> frozenset[str]:
    """Return the sentences of the normalised text that are long enough to be distinctive."""
    parts = (normalise(part).replace(" ", "") for part in _END.split(text))
    return frozenset(part for part in parts if len(part) >= (_SHORTEST_HAN if part > "\u2e80" else _SHORTEST))


@lru_cache(maxsize=1024)
def _shingles(text: str) -> frozenset[str]:
    """Return the character shingles of the normalised text: trigrams if it is mostly Chinese, else 5-grams."""
    plain = normalise(text).replace(" ", "")
    size = _HAN_SHINGLE if sum(char >= "\u2e80" for char in plain) * 2 > len(plain) else _SHINGLE
    return frozenset(plain[place : place + size] for place in range(len(plain) - size + 1))
