"""Conditional questions on a document, by the grammar of its language."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from synth.grammar.reading import Reading
from synth.records import Draft

_MADE: WeakKeyDictionary[Reading, list[Draft]] = WeakKeyDictionary()


def conditionals(reading: Reading, simple: Sequence[Draft]) -> list[Draft]:
    """Questions that set a condition or ask for one, best first; their pattern is "consequence" or "condition".

    `simple` are the grammar's drafts of the document, some of which are conditional as they are.
    """
    if reading not in _MADE:
        _MADE[reading] = _conditionals(reading, simple)
    return _MADE[reading]


def _conditionals(reading: Reading, simple: Sequence[Draft]) -> list[Draft]:
    if reading.language == "en":
        from synth.grammar.english.composing_rules import composed

        return composed(simple)
    if reading.is_chinese:
        from synth.grammar.chinese.composing_rules import conditionals as chinese

        return chinese(reading)
    return []
