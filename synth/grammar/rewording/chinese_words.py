"""All entries of the Chinese lexicon by word, and which words mean the same."""

from __future__ import annotations

from functools import lru_cache

from synth.grammar.rewording.chinese_lexicon import Entry
from synth.grammar.rewording.chinese_nouns import NOUNS
from synth.grammar.rewording.chinese_verbs import VERBS


@lru_cache(maxsize=1)
def entries() -> dict[str, tuple[Entry, ...]]:
    """All entries by word, those that ask for surroundings first."""
    found: dict[str, tuple[Entry, ...]] = {}
    for one in (*VERBS, *NOUNS):
        found[one.word] = (*found.get(one.word, ()), one)
    return found


@lru_cache(maxsize=1)
def verbs() -> frozenset[str]:
    """The words of which entries are those of verbs."""
    return frozenset(one.word for one in VERBS)


@lru_cache(maxsize=1)
def _families() -> dict[str, frozenset[str]]:
    families: dict[str, set[str]] = {}
    for word, ones in entries().items():
        for way in (way for one in ones for way in one.ways):
            families.setdefault(word, {word}).add(way)
            families.setdefault(way, {way}).add(word)
    return {word: frozenset(family) for word, family in families.items()}


def meanings(word: str) -> frozenset[str]:
    """A simplified word, and those that may stand for it or that it may stand for; itself alone where none is known."""
    return _families().get(word, frozenset((word,)))
