"""Texts for annotators in each language, used in exported files, the guideline and the web pages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from synth.core.errors import ConfigError
from synth.core.records import Sample
from synth.text.language import LANGUAGES

_TAGS = {
    "zh": "zh-Hans",
    "zh-cn": "zh-Hans",
    "zh-sg": "zh-Hans",
    "zh-tw": "zh-Hant",
    "zh-hk": "zh-Hant",
    "zh-mo": "zh-Hant",
    **{name.lower(): name for name in LANGUAGES},
}


@lru_cache
def wording(language: str) -> Mapping[str, Any]:
    """Return all texts in a language: "en", "zh-Hans" or "zh-Hant"."""
    text = files("synth.annotation").joinpath("words", f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, Any] = json.loads(text)
    return words


def language_named(tag: str) -> str:
    """Return the language for a tag such as "zh", "zh-TW" or "en". Raises ConfigError for an unknown tag."""
    language = _TAGS.get(tag.strip().replace("_", "-").lower())
    if not language:
        raise ConfigError(f"the language must be one of {', '.join(LANGUAGES)} (or zh, zh-TW, …), was '{tag}'")
    return language


def language_of(samples: Iterable[Sample]) -> str:
    """Return the most frequent supported language of the rows; "en" if none is supported."""
    counts = Counter(sample.language for sample in samples)
    known = [(count, name) for name, count in sorted(counts.items()) if name in LANGUAGES]
    return max(known, key=lambda counted: counted[0])[1] if known else "en"


@lru_cache
def keys_by_word(group: str) -> Mapping[str, str]:
    """Return the keys of a group, such as "decision", by their word in each language and by the key itself.

    Words and keys are in lower case.
    """
    keys: dict[str, str] = {}
    for language in LANGUAGES:
        for key, word in wording(language)[group].items():
            keys.setdefault(word.lower(), key)
            keys[key.lower()] = key
    return keys
