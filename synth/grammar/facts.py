"""What a document states, read by the grammar of its language."""

from __future__ import annotations

from synth.grammar.reading import Reading
from synth.records import Fact


def facts(reading: Reading) -> list[Fact]:
    """The facts of a document in the order of its text; none in a language that the grammar does not know."""
    if reading.language == "en":
        from synth.grammar.english.assertions import assertions

        return assertions(reading)
    if reading.is_chinese:
        from synth.grammar.chinese import assertions as chinese

        return chinese.assertions(reading)
    return []
