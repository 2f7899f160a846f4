"""Weighted coverage of the words of one text by another, tolerant of small spelling differences."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.measuring.answer_normalisation import Folding, tokens, word_tokens
from synth.text.language import HAN
from synth.text.numerals import ORDINALS
from synth.text.stems import stem
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

STOP_WEIGHT, ASKED_WEIGHT, NUMBER_WEIGHT = 0.1, 0.3, 1.5
STEM_WORTH, MISSPELT_WORTH = 0.95, 0.8
_ALIKE = 80.0
_FOLD = Folding(numerals=True)
_HAN = re.compile(f"[{HAN}]")
# Answers of search systems often contain "onSeptember", "5in" and footnote numbers after a word.
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-Za-z]{2,})")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_ORDINALS = {word: str(number) for number, word in enumerate(ORDINALS[:12], start=1)}


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Words of a text for look-ups: the words, their stems, and the words joined without gaps."""

    words: frozenset[str]
    stems: frozenset[str]
    joined: str

    @classmethod
    def of(cls, words: Sequence[str]) -> WordIndex:
        return cls(frozenset(words), frozenset(map(stem, words)), "".join(words))


@lru_cache(maxsize=2048)
def content(text: str) -> tuple[str, ...]:
    """Return the words of a text, with numerals and ordinals as digits; Chinese is split by a dictionary."""
    spaced = _GLUED.sub(" ", text)
    cut = word_tokens if _HAN.search(text) else tokens
    return tuple(_plain(word) for word in cut(spaced, _FOLD))


def _plain(word: str) -> str:
    ordinal = _ORDINAL.fullmatch(word)
    return ordinal[1] if ordinal else _ORDINALS.get(word, word)


def weights(words: Iterable[str], asked: Collection[str] = ()) -> list[float]:
    """Return the weight of each word.

    Numbers weigh more. Words of the question (stems in `asked`) and function words weigh less.
    """
    return [_weight(word, asked) for word in words]


def _weight(word: str, asked: Collection[str]) -> float:
    if word in ENGLISH_STOP or word in CHINESE_STOP:
        return STOP_WEIGHT
    if stem(word) in asked:
        return ASKED_WEIGHT
    return NUMBER_WEIGHT if word[:1].isdigit() else 1.0


def worth(word: str, text: WordIndex) -> float:
    """Return the value of a match of a word in a text.

    It is 1 if the text contains the word as written, also with a footnote number after it. It is lower if only the stem
    matches, lowest for a match with a typo, and 0 for no match.
    """
    if word in text.words or (_HAN.match(word) and word in text.joined):
        return 1.0
    if _HAN.match(word):
        return 0.0
    if stem(word) in text.stems:
        return STEM_WORTH
    if (word[:1].isalpha() or len(word) == 4) and any(_with_footnote(word, other) for other in text.words):
        return 1.0
    return MISSPELT_WORTH if len(word) >= 5 and word.isalpha() and _misspelt(word, text.words) else 0.0


def _with_footnote(word: str, other: str) -> bool:
    rest = other[len(word) :]
    return other.startswith(word) and rest.isdecimal() and len(rest) <= 2


def _misspelt(word: str, known: Iterable[str]) -> bool:
    from rapidfuzz import fuzz

    return any(abs(len(other) - len(word)) <= 2 and fuzz.ratio(word, other) >= _ALIKE for other in known)


def share(words: Sequence[str], by: Sequence[float], text: WordIndex) -> float:
    """Return the weighted share of `words` that a text contains. `by` contains their weights."""
    total = sum(by)
    return sum(weight * worth(word, text) for word, weight in zip(words, by, strict=True)) / total if total else 0.0
