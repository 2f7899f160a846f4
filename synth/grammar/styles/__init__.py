"""The same question as different people would put it: the one door to the styles."""

from __future__ import annotations

import random
from collections.abc import Sequence

from synth.core.errors import ConfigError
from synth.grammar.registry import pack_of
from synth.grammar.styles.typing_errors import typing_errors
from synth.text.language import LANGUAGES
from synth.text.question_style import STYLES

__all__ = ["STYLES", "restyle"]


def restyle(question: str, style: str, language: str, rng: random.Random, keep: Sequence[str] = ()) -> str | None:
    """`question`, one plain question with its mark, in `style`; its answer stays the same.

    `language` is the tag of a language that has a pack; `rng` alone decides among wordings; the strings of `keep`,
    such as the names that tell the answer, come out as they went in. None where the style cannot be done well: for
    a language without a pack, a pack without the style, and when a query would have too few words or no word may
    be mistyped.
    Raises ConfigError for an unknown style.
    """
    if style not in STYLES:
        raise ConfigError(f"style '{style}' is unknown; choose from: {', '.join(STYLES)}")
    if style == "plain":
        return question
    if not question.strip():
        return None
    if style == "typos":
        return typing_errors(question, language, rng, keep) if language in LANGUAGES else None
    pack = pack_of(language)
    write = pack.styles.get(style) if pack else None
    return write(question, rng, keep) if write else None
