"""Comparison of similar questions: they differ if their numbers, names or contrasting words do."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from synth.text.language import is_chinese
from synth.text.normalise import fold_width, normalise, to_simplified
from synth.text.question_style import kind_of
from synth.text.tokens import content_words, numbers

if TYPE_CHECKING:
    from datasketch import MinHash, MinHashLSH

SHINGLE = 3
LSH_BANDS, LSH_ROWS = 42, 3
"""Number of bands of the MinHash index, and rows per band.

The index misses a pair with Jaccard similarity 0.7 about once in fifty million pairs.
"""

_NAME_TAGS = ("nr", "ns", "nt", "nz", "t", "m", "j")
"""Tags in jieba's dictionary for people, places, organisations, other names, times, numerals and abbreviations."""

_CONTRASTS = frozenset(
    "north south east west northern southern eastern western upper lower inner outer left right top bottom first "
    "second third fourth last next previous old new oldest newest early late earliest latest largest smallest longest "
    "shortest highest lowest tallest deepest biggest most least min max minimum maximum before after above below "
    "increase decrease start end open close not never without one two three four five six seven eight nine ten".split()
)
_CONTRASTING = frozenset("甲乙丙丁东西南北上下左右前后内外大小新旧高低长短深浅早晚男女正副春夏秋冬最不未非")
_NOT = frozenset("不未非无最")
_ALIKE = 0.5
"""Minimum similarity at which two Chinese questions are compared character by character."""

_CAPITAL = re.compile(r"(?<=\w)[,;:]? [\"'“‘(]?([A-Z][\w'’-]+)")
_IDENTIFIER = re.compile(
    r"(?<!\w)[\d_]*+[A-Za-z]++[\d_]\w*+|(?<!\w)(?=\w*[a-z][A-Z])\w++|[A-Za-z_-]*+\d[\w-]*+", re.ASCII
)
_HAN = "\u3400"


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """Question prepared for comparison: normal form, numbers, content words and names.

    `names` are content words that are capitalised in the question or in its evidence, identifiers, and Latin words in
    Chinese. Chinese names are found during the comparison.
    """

    normal: str
    language: str
    numbers: frozenset[str]
    words: frozenset[str]
    names: frozenset[str]
    question: str

    @classmethod
    def of(cls, question: str, language: str, evidence: Iterable[str] = ()) -> ComparedQuestion:
        """Prepare a question. The texts of its `evidence` show which of its words are names."""
        words = frozenset(content_words(question))
        names = {word for text in (question, *evidence) for word in _capitalised(text)}
        names |= {match.group().casefold() for match in _IDENTIFIER.finditer(fold_width(question))}
        name_words = set(content_words(" ".join(names)))
        if is_chinese(language):
            name_words |= {word for word in words if word < _HAN}
        return cls(normalise(question), language, numbers(question), words, words & name_words, question)

    @property
    def kind(self) -> str:
        """Kind of the question, from its question word: "when", "who", …"""
        return kind_of(self.question, self.language)

    def names_fit(self, other: ComparedQuestion) -> bool:
        """Return whether each question contains all `names` of the other."""
        return self.names <= other.words and other.names <= self.words

    def nouns(self) -> frozenset[str]:
        """Return `names`, and the Chinese words that are nouns in the dictionary or missing from the dictionary."""
        return self.names | frozenset(word for word in self.words if _is_name(word, "n"))

    def differs(self, other: ComparedQuestion) -> bool:
        """Return whether the questions differ in a number, a name or a contrasting word ("upper").

        Similar Chinese questions are compared character by character. A replaced word makes them different, unless both
        words are in the dictionary and share a character.
        """
        if self.numbers != other.numbers:
            return True
        if is_chinese(self.language) and is_chinese(other.language) and self.likeness(other) >= _ALIKE:
            places = list(_differences(self.normal, other.normal))
            return _replaces_phrase(places) or any(_changes_question(*place) for place in places)
        mine, theirs = self.without(other), other.without(self)
        if any(word in self.names or _is_name(word) for word in mine):
            return True
        if any(word in other.names or _is_name(word) for word in theirs):
            return True
        return bool(_contrasts(mine) and _contrasts(theirs))

    def without(self, other: ComparedQuestion) -> frozenset[str]:
        """Return the content words that are missing in the other question.

        A Chinese word counts as missing only if its characters do not occur there, because words may be segmented
        differently.
        """
        return frozenset(w for w in self.words - other.words if w < _HAN or w not in other.normal)

    def likeness(self, other: ComparedQuestion) -> float:
        """Return the Jaccard similarity of the character shingles, from 0 to 1."""
        mine, theirs = shingles(self.normal), shingles(other.normal)
        shared = len(mine & theirs)
        return shared / (len(mine) + len(theirs) - shared)


@lru_cache(maxsize=1 << 14)
def shingles(normal: str) -> frozenset[str]:
    """Return the character trigrams of a text in normal form. A shorter text is its own shingle."""
    text = normal.replace(" ", "_")
    return frozenset(text[i : i + SHINGLE] for i in range(max(1, len(text) - SHINGLE + 1)))


def minhash(normal: str) -> MinHash:
    """Return the MinHash (Broder 1997) of the shingles of a text in normal form, for `index`."""
    from datasketch import MinHash

    sketch = MinHash(num_perm=LSH_BANDS * LSH_ROWS, seed=1, hashfunc=int, scheme="affine32")
    sketch.update_batch(sorted(zlib.crc32(part.encode("utf-8", "surrogatepass")) for part in shingles(normal)))
    return sketch


def index() -> MinHashLSH:
    """Return an empty index that finds similar texts by their `minhash`."""
    from datasketch import MinHashLSH

    return MinHashLSH(num_perm=LSH_BANDS * LSH_ROWS, params=(LSH_BANDS, LSH_ROWS))


def _capitalised(text: str) -> list[str]:
    """Return the capitalised words that do not start a sentence."""
    return _CAPITAL.findall(fold_width(text))


def _differences(first: str, second: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the differences of two Chinese texts.

    Each is (characters in `first`, characters in `second`, words around them in `first`, words around them in
    `second`).
    """
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            yield first[a:b], second[c:d], _words_at(first, a, b), _words_at(second, c, d)


def _replaces_phrase(places: list[tuple[str, str, str, str]]) -> bool:
    """Return whether one phrase was deleted and another inserted elsewhere.

    A long phrase that only moved does not count.
    """
    deleted = "".join(mine for mine, theirs, *_ in places if not theirs and content_words(mine))
    inserted = "".join(theirs for mine, theirs, *_ in places if not mine and content_words(theirs))
    return bool(deleted and inserted) and (deleted != inserted or len(deleted) < SHINGLE)


def _words_at(text: str, start: int, end: int) -> str:
    """Return the words that overlap `text[start:end]`, joined by spaces."""
    import rjieba

    overlapping, place = [], 0
    for word in rjieba.cut(text):
        if place < end and place + len(word) > start:
            overlapping.append(word)
        place += len(word)
    return " ".join(overlapping)


def _changes_question(mine: str, theirs: str, word: str, other: str) -> bool:
    """Return whether a difference of two Chinese questions changes what is asked.

    `mine` and `theirs` are the differing characters, `word` and `other` the words around them.
    """
    both = [piece for piece in (mine, theirs) if content_words(piece) or not _CONTRASTING.isdisjoint(piece)]
    if len(both) < 2:
        around = (word if content_words(mine) else other if content_words(theirs) else "").split()
        if len("".join(both)) == 1 and any(len(part) < SHINGLE - 1 for part in around):
            return True
        parts = [part for piece in both for part in [*(content_words(piece) or [piece]), *around]]
        return any(part in _NOT or (len(part) > 1 and _is_name(part)) for part in parts)
    if " " in word + other or not set(word) & set(other) or _contrasts([mine, theirs]):
        return True
    return _is_name(word) or _is_name(other)


def _contrasts(words: Iterable[str]) -> bool:
    return any(word in _CONTRASTS or not _CONTRASTING.isdisjoint(to_simplified(word)) for word in words)


@lru_cache(maxsize=1 << 16)
def _is_name(word: str, tags: str | tuple[str, ...] = _NAME_TAGS) -> bool:
    """Return whether a Chinese word has one of `tags` (names, times, numerals) or is not in the dictionary."""
    if word < _HAN:
        return False
    import rjieba

    return any(tag.startswith(tags) or not rjieba.has_word(part) for part, tag in rjieba.tag(to_simplified(word)))
