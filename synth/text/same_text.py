"""Texts that say the same in nearly the same characters, in whatever Chinese script."""

from __future__ import annotations

from functools import lru_cache

from synth.text.normalise import normalise

SAME = 0.8
"""Share of the shingles of the shorter text from which two texts are the same one. A page and its Taiwanese edition,
which has some other words, share 0.83 and more, pages that follow one template up to 0.7, two of 120 recipes 0.4."""

_HAN_SHINGLE, _SHINGLE = 3, 5


def is_same_text(one: str, other: str) -> bool:
    """Test whether two texts are the same, or one is a part of the other, but for script, case and a few words."""
    shorter, longer = sorted((_shingles(one), _shingles(other)), key=len)
    return bool(shorter) and len(shorter & longer) >= SAME * len(shorter)


@lru_cache(maxsize=1024)
def _shingles(text: str) -> frozenset[str]:
    """Runs of characters of the folded text: of three where most are Chinese, else of five."""
    plain = normalise(text).replace(" ", "")
    size = _HAN_SHINGLE if sum(char >= "\u2e80" for char in plain) * 2 > len(plain) else _SHINGLE
    return frozenset(plain[place : place + size] for place in range(len(plain) - size + 1))
