"""Template words in the script of the document."""

from __future__ import annotations

from functools import lru_cache

from synth.text.normalise import to_traditional

_USUAL = str.maketrans("爲裏麽", "為裡麼")


@lru_cache(maxsize=4096)
def template(text: str, language: str) -> str:
    """A simplified template in the script of `language` ("zh-Hans" or "zh-Hant")."""
    return to_traditional(text).translate(_USUAL) if language == "zh-Hant" else text
