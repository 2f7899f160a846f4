"""Agreement of answers: with the golden ones of a sample, with each other, and with a text that may say them."""

from __future__ import annotations

import re
from collections import Counter

from synth.core.records import Sample
from synth.generation.matching.negation import negated
from synth.text.dates import read_date
from synth.text.normalise import holds, normalise, to_simplified
from synth.text.quantities import Quantity, find_quantities, read_quantity, same
from synth.text.tokens import content_words, numbers, words

_SAYS_YES = re.compile(r"(?:yes|是的?|对的?|會的?|会的?|可以|能)(?:[\s,.，。!！].*)?", re.IGNORECASE | re.DOTALL)
_SAYS_NO = re.compile(r"(?:no|否|不(?:是|会|能|可以|行)?的?|没有|不对)(?:[\s,.，。!！].*)?", re.IGNORECASE | re.DOTALL)
_CLAUSES = re.compile(r"[,;.，；。]\s*")


def agreed(answer: str, sample: Sample) -> float:
    """Agreement of an answer with the golden one that is most like it, from 0 to 1."""
    return max(answer_likeness(answer, golden, sample.language) for golden in sample.golden_answers)


def equal(value: str, answer: str, language: str) -> bool:
    """Whether two texts are the same answer: as normalised texts, amounts, dates, or yes and no."""
    if normalise(value) == normalise(answer):
        return True
    if (polarity := says_yes(value)) is not None:
        return polarity == says_yes(answer)
    mine, theirs = read_quantity(value, language), read_quantity(answer, language)
    if mine and theirs:
        return same(mine, theirs) or _bare_years(mine, theirs)
    dates = read_date(value, language), read_date(answer, language)
    return dates[0] is not None and dates[0] == dates[1]


def says_yes(answer: str) -> bool | None:
    """True for an answer "yes", False for "no", with or without an explanation; None for any other."""
    plain = to_simplified(answer).strip()
    if _SAYS_YES.fullmatch(plain):
        return True
    return False if _SAYS_NO.fullmatch(plain) else None


def states_answer(text: str, answer: str, language: str) -> bool:
    """Test whether a text says an answer, be it as another way to write the same amount."""
    if holds(text, answer):
        return True
    if read_quantity(answer, language) is None:
        return False
    return any(
        equal(text[quantity.start : quantity.end], answer, language) for quantity in find_quantities(text, language)
    )


def nearness(answer: str, other: str) -> float:
    """F1 of the words of two answers."""
    ours, theirs = Counter(words(answer)), Counter(words(other))
    return 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def answer_likeness(answer: str, golden: str, language: str = "en") -> float:
    """Agreement of two answers, from 0 to 1: F1 of their words, 0 when their numbers differ.

    The same amount or date in other words is the same answer; yes agrees with nothing but yes, what is denied with
    nothing that is stated, and one thing of a kind ("the north filter") with no other ("the south filter").
    """
    polarity = says_yes(golden)
    if polarity is not None:
        return 1.0 if says_yes(answer) == polarity else 0.0
    if normalise(answer) and equal(answer, golden, language):
        return 1.0
    if not normalise(answer) or not normalise(golden):
        return 0.0
    if numbers(answer) != numbers(golden) or _denied(answer, golden, language) or _other_of_a_kind(answer, golden):
        return 0.0
    if holds(answer, golden) or holds(golden, answer):
        return 1.0
    return nearness(answer, golden)


def _bare_years(mine: Quantity, theirs: Quantity) -> bool:
    bare = [amount for amount in (mine, theirs) if not amount.unit and not amount.noun]
    return bool(bare) and mine.value == theirs.value and mine.exact and theirs.exact


def _denied(answer: str, golden: str, language: str) -> bool:
    """Test whether one of two answers denies what the other states; of a long answer, the clause that has the other."""
    clause = next((part for part in _CLAUSES.split(answer) if holds(part, golden)), answer)
    return negated(clause, language) != negated(golden, language)


def _other_of_a_kind(answer: str, golden: str) -> bool:
    """Test whether two answers share their last word, which says of what kind they are, and no other word."""
    ours, theirs = content_words(answer), content_words(golden)
    if min(len(ours), len(theirs)) < 2 or ours[-1] != theirs[-1]:
        return False
    return set(ours[:-1]).isdisjoint(theirs[:-1])
