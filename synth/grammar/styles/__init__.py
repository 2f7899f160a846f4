"""The same question as different people would put it: the one door to the styles."""

from __future__ import annotations

import random
from collections.abc import Sequence

from synth.errors import ConfigError
from synth.grammar.styles import chinese, english
from synth.grammar.styles.typing_errors import typing_errors
from synth.text.language import LANGUAGES, is_chinese
from synth.text.style import STYLES

__all__ = ["STYLES", "restyle"]


def restyle(question: str, style: str, language: str, rng: random.Random, keep: Sequence[str] = ()) -> str | None:
    """`question`, one plain question with its mark, in `style`; its answer stays the same.

    `language` is "en", "zh-Hans" or "zh-Hant"; `rng` alone decides among wordings; the strings of `keep`, such as
    the names that tell the answer, come out as they went in. None where the style cannot be done well: for any
    other language but in the style "plain", and when a query would have too few words or no word may be mistyped.
    Raises ConfigError for an unknown style.
    """
    if style not in STYLES:
        raise ConfigError(f"style '{style}' is unknown; choose from: {', '.join(STYLES)}")
    if style == "plain":
        return question
    if language not in LANGUAGES or not question.strip():
        return None
    if style == "typos":
        return typing_errors(question, language, rng, keep)
    if not is_chinese(language):
        return english.ENGLISH[style](question, rng, keep)
    write = chinese.CHINESE[style]
    return (chinese.in_script(write) if language == "zh-Hant" else write)(question, rng, keep)
