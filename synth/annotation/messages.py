"""What annotators are told, in their language: one file a language, read by the sheets, the guideline and the page."""

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
    """All words in one of "en", "zh-Hans" and "zh-Hant"."""
    text = files("synth.annotation").joinpath("words", f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, Any] = json.loads(text)
    return words


def language_named(tag: str) -> str:
    """The language a tag such as "zh", "zh-TW" or "en" stands for. Raises ConfigError for one we do not speak."""
    found = _TAGS.get(tag.strip().replace("_", "-").lower())
    if not found:
        raise ConfigError(f"the language must be one of {', '.join(LANGUAGES)} (or zh, zh-TW, …), was '{tag}'")
    return found


def language_of(samples: Iterable[Sample]) -> str:
    """The language that most rows are in; English where it is none of ours."""
    counts = Counter(sample.language for sample in samples)
    known = [(count, name) for name, count in sorted(counts.items()) if name in LANGUAGES]
    return max(known, key=lambda one: one[0])[1] if known else "en"


@lru_cache
def keys_by_word(group: str) -> Mapping[str, str]:
    """Every word of a group, such as "decision", in every language, small letters, and every key, with its key."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        for key, word in wording(language)[group].items():
            found.setdefault(word.lower(), key)
            found[key.lower()] = key
    return found
