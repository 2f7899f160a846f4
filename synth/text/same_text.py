"""Texts that say the same in nearly the same characters, in whatever Chinese script."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.text.normalise import normalise

SAME = 0.8
"""Share of the shingles of the shorter text from which two texts are the same one. A page and its Taiwanese edition,
which has some other words, share 0.83 and more, pages that follow one template up to 0.7, two of 120 recipes 0.4."""

COPIED = 0.35
"""Share of the sentences of the shorter text, by characters, from which two texts are near copies."""

_HAN_SHINGLE, _SHINGLE = 3, 5
_SHORTEST_HAN, _SHORTEST = 5, 16  # characters of a sentence that is compared
_END = re.compile(r"[.!?;]\s|[。！？；，,\n]")


def is_same_text(one: str, other: str) -> bool:
    """Test whether two texts are the same, or one is a part of the other, but for script, case and a few words."""
    shorter, longer = sorted((_shingles(one), _shingles(other)), key=len)
    return bool(shorter) and len(shorter & longer) >= SAME * len(shorter)


def is_near_copy(one: str, other: str) -> bool:
    """Test whether much of the shorter text stands in the other in the same sentences, as in two editions of a page for
    two groups of readers. Pages of one template with other names and numbers are none."""
    shorter, longer = sorted((_sentences(one), _sentences(other)), key=lambda parts: sum(map(len, parts)))
    return bool(shorter) and sum(map(len, shorter & longer)) >= COPIED * sum(map(len, shorter))


@lru_cache(maxsize=1024)
def _sentences(text: str) -> frozenset[str]:
    """The sentences and clauses of the folded text that are long enough to be nobody else's."""
    parts = (normalise(part).replace(" ", "") for part in _END.split(text))
    return frozenset(part for part in parts if len(part) >= (_SHORTEST_HAN if part > "\u2e80" else _SHORTEST))


@lru_cache(maxsize=1024)
def _shingles(text: str) -> frozenset[str]:
    """Runs of characters of the folded text: of three where most are Chinese, else of five."""
    plain = normalise(text).replace(" ", "")
    size = _HAN_SHINGLE if sum(char >= "\u2e80" for char in plain) * 2 > len(plain) else _SHINGLE
    return frozenset(plain[place : place + size] for place in range(len(plain) - size + 1))
