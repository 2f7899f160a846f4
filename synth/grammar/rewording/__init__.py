"""The same question in other words than its passage has: the one door to the rewording of all languages."""

from __future__ import annotations

from collections.abc import Sequence

from synth.grammar.rewording import chinese, english
from synth.grammar.rewording.base import Reworded
from synth.grammar.styles.chinese import restored
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified

__all__ = ["Reworded", "reword"]


def reword(
    question: str, language: str, told: Sequence[str], keep: Sequence[str], answers: Sequence[str] = ()
) -> Reworded | None:
    """`question`, one plain question with its mark, in words that its passages do not have; its answer stays the same.

    `told` are the texts of the passages; the strings of `keep`, such as names, numbers and code, come out as they
    went in; `answers` help to see what kind of answer is asked for. The same arguments give the same question. None
    where nothing can be said otherwise well, and for every language but English and Chinese.
    """
    if not question.strip():
        return None
    if language == "en":
        return _kept(english.reworded(question, told, keep, answers), question, keep)
    if not is_chinese(language):
        return None
    write = _traditional if language == "zh-Hant" else chinese.reworded
    return _kept(write(question, told, keep, answers), question, keep)


def _kept(made: Reworded | None, question: str, keep: Sequence[str]) -> Reworded | None:
    """`made`, unless it is the question as it was, or a string that was to be kept is gone."""
    if made is None or made.question == question:
        return None
    return None if any(one in question and one not in made.question for one in keep if one) else made


def _traditional(question: str, told: Sequence[str], keep: Sequence[str], answers: Sequence[str]) -> Reworded | None:
    simple = to_simplified(question)
    made = chinese.reworded(simple, *(list(map(to_simplified, texts)) for texts in (told, keep, answers)))
    if made is None:
        return None
    changes = tuple((restored(old, simple, question), restored(new, simple, question)) for old, new in made.changes)
    return Reworded(restored(made.question, simple, question), changes)
