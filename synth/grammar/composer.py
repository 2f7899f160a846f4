"""How questions are put together in the language of a document."""

from __future__ import annotations

from synth.grammar.compositions import Compositions
from synth.text.language import is_chinese


def compositions(language: str) -> Compositions | None:
    """Those of a language; None where there is no grammar of it."""
    if language == "en":
        from synth.grammar.english.compositions import EnglishCompositions

        return EnglishCompositions()
    if is_chinese(language):
        from synth.grammar.chinese.compositions import ChineseCompositions

        return ChineseCompositions(language)
    return None
