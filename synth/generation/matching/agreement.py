"""Agreement of answers: with the golden ones of a sample, with each other, and with a text that may say them."""

from __future__ import annotations

import re
from collections import Counter

from synth.core.records import Sample
from synth.generation.derivation import CHOOSING, equal, says_yes
from synth.generation.matching.negation import negated
from synth.text.normalise import holds, normalise
from synth.text.quantities import find_quantities, read_quantity
from synth.text.tokens import content_words, numbers, words

_CLAUSES = re.compile(r"[,;.，；。]\s*")


def agreed(answer: str, sample: Sample) -> float:
    """Agreement of an answer with the golden ones, from 0 to 1.

    Where a question offers things to choose from, an answer that is nearer to another of them agrees with none.
    """
    score = max(agreement(answer, golden, sample.language) for golden in sample.golden_answers)
    last = sample.steps[-1] if sample.steps else None
    if not score or last is None or last.operation not in CHOOSING:
        return score
    options = [sample.steps[number].says for number in last.of]
    others = [
        one for one in options if not any(equal(one, golden, sample.language) for golden in sample.golden_answers)
    ]
    return score if all(nearness(answer, one) < nearness(answer, sample.golden_answers[0]) for one in others) else 0.0


def gives(text: str, answer: str, language: str) -> bool:
    """Test whether a text says an answer, be it as another way to write the same amount."""
    if holds(text, answer):
        return True
    if read_quantity(answer, language) is None:
        return False
    return any(equal(text[one.start : one.end], answer, language) for one in find_quantities(text, language))


def nearness(answer: str, option: str) -> float:
    """F1 of the words of an answer and of something that was offered."""
    ours, theirs = Counter(words(answer)), Counter(words(option))
    return 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def agreement(answer: str, golden: str, language: str = "en") -> float:
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
