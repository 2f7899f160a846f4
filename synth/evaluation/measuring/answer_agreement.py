"""Agreement of an answer with a golden one: coverage of its facts, and what makes the answer wrong all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from synth.evaluation.measuring.answer_facts import Coverage, Facts, covered, facts, folded
from synth.evaluation.measuring.answer_lists import items, offered, swapped
from synth.evaluation.measuring.answer_names import names, renamed, renamed_in_place
from synth.evaluation.measuring.polarity import clauses, negated, stated
from synth.evaluation.measuring.word_coverage import content
from synth.text.tokens import ENGLISH_STOP

CONTRADICTED = 0.4
"""What is left of the coverage when the answer contradicts the golden one: less than half of it."""

_HALF, _NONE = 0.5, 0.2
_LIST_WORDS = frozenset("and or the a an of".split())


def agreement(golden: str, answer: str, question: str, goldens: Sequence[str] = ()) -> float:
    """The agreement of an answer with one golden answer, from 0 to 1; below 0.5 when the answer contradicts it.

    `goldens` are all golden answers of the question: what one of them says is no wrong answer beside another.
    """
    golden, answer, question = folded(golden), folded(answer), folded(question)
    asked = facts(question)
    said = answer if negated(question) else stated(answer)
    coverage = _coverage(golden, answer, question, asked)
    if coverage.share < _HALF:
        return coverage.share
    wrong = any(_contradictions(golden, answer, question, said, asked, [folded(other) for other in goldens]))
    return coverage.share * (CONTRADICTED if wrong or coverage.contradicted else 1.0)


def _coverage(golden: str, answer: str, question: str, asked: Facts) -> Coverage:
    """What the golden answer states must be stated, what it denies denied, unless the question itself denies."""
    if negated(question):
        return covered(golden, answer, asked)
    sides = ((stated(golden, denied=denied), stated(answer, denied=denied)) for denied in (False, True))
    return sum((covered(wanted, given, asked) for wanted, given in sides if wanted.strip()), Coverage())


def _contradictions(
    golden: str, answer: str, question: str, said: str, asked: Facts, goldens: Sequence[str]
) -> Iterator[bool]:
    if not negated(question):
        yield _denied(golden, answer, asked)
    parts = items(golden)
    if parts:
        yield any(_is_known(part) and covered(part, said, asked).share < _HALF for part in parts)
    else:
        yield _several(said, asked, goldens)
    yield renamed(golden, said)
    yield renamed_in_place(golden, said)
    yield swapped(golden, said)


def _denied(golden: str, answer: str, asked: Facts) -> bool:
    """Return whether the answer has a clause of the golden one only where it denies it, or states what that denies."""
    if len({clause.denied for clause in (*clauses(golden), *clauses(answer))}) == 1:
        return False
    for clause in clauses(golden):
        alike = covered(clause.text, stated(answer, denied=clause.denied), asked).share
        if covered(clause.text, answer, asked).share - alike >= _HALF:
            return True
    return False


def _several(said: str, asked: Facts, goldens: Sequence[str]) -> bool:
    """Return whether several answers are given where one was asked for: "A or B", or nothing but a list."""
    parts = items(said) if _LIST_WORDS.issuperset(word for word in content(said) if word in ENGLISH_STOP) else ()
    pairs = [*offered(said), *permutations(parts, 2)]
    return any(
        _are_rivals(part, other, asked)
        and max(covered(golden, part, asked).share for golden in goldens) >= _HALF
        and max(covered(golden, other, asked).share for golden in goldens) < _NONE
        for left, right in pairs
        for part, other in ((left, right), (right, left))
    )


def _are_rivals(part: str, other: str, asked: Facts) -> bool:
    """Return whether two parts of an answer are both numbers, or both names, and the second is not of the question."""
    mine, theirs = facts(part), facts(other)
    if mine.numbers:
        return any(not any(known.agrees(number) for known in asked.numbers) for number in theirs.numbers)
    return bool(names(part)) and any(not asked.known.issuperset(name) for name in names(other))


def _is_known(part: str) -> bool:
    read = facts(part)
    return bool(read.words or read.amounts or read.dates)
