"""Agreement of an answer with golden answers, with another answer, or with a text that may state the answer."""

from __future__ import annotations

import re
from collections import Counter

from synth.core.records import Sample
from synth.generation.matching.negation import negated
from synth.text.dates import read_date
from synth.text.normalise import holds, normalise, to_simplified
from synth.text.quantities import Quantity, find_quantities, read_quantity, same
from synth.text.tokens import content_words, numbers, words

_EXPLAINED = r"(?:[\s,.:;，。：；!！].*)?"
_SAYS_YES = re.compile(rf"(?:yes|是的?|对的?|會的?|会的?|可以|能){_EXPLAINED}", re.IGNORECASE | re.DOTALL)
_SAYS_NO = re.compile(rf"(?:no|否|不(?:是|会|能|可以|行)?的?|没有|不对){_EXPLAINED}", re.IGNORECASE | re.DOTALL)
_CLAUSES = re.compile(r"[,;.，；。]\s*")


def agreed(answer: str, sample: Sample) -> float:
    """Return the agreement, from 0 to 1, of an answer with the most similar golden answer of a sample."""
    return max(answer_likeness(answer, golden, sample.language) for golden in sample.golden_answers)


def equal(value: str, answer: str, language: str) -> bool:
    """Return whether two texts are the same answer: as normalised texts, quantities, dates, or yes and no."""
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
    """Return True if an answer is "yes", False if it is "no", and None otherwise. An explanation may follow."""
    plain = to_simplified(answer).strip()
    if _SAYS_YES.fullmatch(plain):
        return True
    return False if _SAYS_NO.fullmatch(plain) else None


def states_answer(text: str, answer: str, language: str) -> bool:
    """Return whether a text states an answer, possibly as the same quantity in other units."""
    if holds(text, answer):
        return True
    if read_quantity(answer, language) is None:
        return False
    return any(
        equal(text[quantity.start : quantity.end], answer, language) for quantity in find_quantities(text, language)
    )


def nearness(answer: str, other: str) -> float:
    """Return the F1 score, from 0 to 1, of the words of two answers."""
    ours, theirs = Counter(words(answer)), Counter(words(other))
    return 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def answer_likeness(answer: str, golden: str, language: str = "en") -> float:
    """Return the agreement of two answers, from 0 to 1: the F1 score of their words.

    It is 1 if both state the same quantity or date, and 0 if their numbers differ. Yes agrees only with yes. A negated
    answer never agrees with an affirmed one. Two things of one kind, such as "the north filter" and "the south filter",
    never agree.
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
    """Return whether exactly one of two answers is negated.

    If one answer is long, only its clause that contains the other answer is examined.
    """
    clause = next((part for part in _CLAUSES.split(answer) if holds(part, golden)), answer)
    return negated(clause, language) != negated(golden, language)


def _other_of_a_kind(answer: str, golden: str) -> bool:
    """Return whether two answers share their last word, which names their kind, but no other word."""
    ours, theirs = content_words(answer), content_words(golden)
    if min(len(ours), len(theirs)) < 2 or ours[-1] != theirs[-1]:
        return False
    return set(ours[:-1]).isdisjoint(theirs[:-1])
