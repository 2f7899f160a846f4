"""What of one text another says: its words by weight, found although they are written a little differently."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.metrics.answer_normalisation import HAN, Folding, tokens, word_tokens
from synth.text.stems import stem
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

STOP_WEIGHT, ASKED_WEIGHT, NUMBER_WEIGHT = 0.1, 0.3, 1.5
STEM_WORTH, MISSPELT_WORTH = 0.95, 0.8
_ALIKE = 80.0
_FOLD = Folding(numerals=True)
_HAN = re.compile(f"[{HAN}]")
# "onSeptember", "5in" and a footnote's number after a word are common in the answers of systems that search.
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-Za-z]{2,})")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_ORDINALS = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        map(str, range(1, 13)),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class Said:
    """A text in which words are looked for: its words, their stems, and all of it without gaps."""

    words: frozenset[str]
    stems: frozenset[str]
    joined: str

    @classmethod
    def of(cls, found: Sequence[str]) -> Said:
        return cls(frozenset(found), frozenset(map(stem, found)), "".join(found))


@lru_cache(maxsize=2048)
def content(text: str) -> tuple[str, ...]:
    """The words of a text, Chinese by dictionary; numerals and ordinals as digits."""
    parted = _GLUED.sub(" ", text)
    found = (word_tokens if _HAN.search(text) else tokens)(parted, _FOLD)
    return tuple(_plain(word) for word in found)


def _plain(word: str) -> str:
    ordinal = _ORDINAL.fullmatch(word)
    return ordinal[1] if ordinal else _ORDINALS.get(word, word)


def weights(words: Iterable[str], asked: Collection[str] = ()) -> list[float]:
    """What each word counts: numbers more, words of the question (stems in `asked`) and function words less."""
    return [_weight(word, asked) for word in words]


def _weight(word: str, asked: Collection[str]) -> float:
    if word in ENGLISH_STOP or word in CHINESE_STOP:
        return STOP_WEIGHT
    if stem(word) in asked:
        return ASKED_WEIGHT
    return NUMBER_WEIGHT if word[:1].isdigit() else 1.0


def worth(word: str, said: Said, *, loosely: bool = True) -> float:
    """How surely a text says a word: 1 as it is, a little less by its stem, less when it is misspelt, else 0.

    `loosely` allows slips of the pen and numbers of footnotes.
    """
    if word in said.words or (_HAN.match(word) and word in said.joined):
        return 1.0
    if _HAN.match(word):
        return 0.0
    if stem(word) in said.stems:
        return STEM_WORTH
    if not loosely:
        return 0.0
    if (word[:1].isalpha() or len(word) == 4) and any(_with_footnote(word, one) for one in said.words):
        return 1.0
    return MISSPELT_WORTH if len(word) >= 5 and word.isalpha() and _misspelt(word, said.words) else 0.0


def _with_footnote(word: str, other: str) -> bool:
    rest = other[len(word) :]
    return other.startswith(word) and rest.isdecimal() and len(rest) <= 2


def _misspelt(word: str, known: Iterable[str]) -> bool:
    from rapidfuzz import fuzz

    return any(abs(len(one) - len(word)) <= 2 and fuzz.ratio(word, one) >= _ALIKE for one in known)


def share(words: Sequence[str], by: Sequence[float], said: Said) -> float:
    """The weighted share of `words` that a text says."""
    total = sum(by)
    return sum(weight * worth(word, said) for word, weight in zip(words, by, strict=True)) / total if total else 0.0
