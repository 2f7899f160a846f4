"""Answers that are worked out: what a judge reads in the text for them, held against what the steps read.

What follows from values that were read is decided exactly by `synth.derivation`; a judge is asked what it reads. One
that reads the right values and reckons wrongly confirms the answer all the same, and one that names the right one of
two without the values of both has guessed it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synth.derivation import CHOOSING, OPERATIONS, equal, says_yes, yields
from synth.filters.agreement import agreement, nearness
from synth.records import Sample, Step
from synth.text.tokens import content_words

Values = Sequence[Mapping[str, str]]
"""What a judge read: each a `value` of the text, and what it is said `of`."""


def is_worked_out(sample: Sample) -> bool:
    """Whether the answer of a sample is what an operation makes of values, by its steps."""
    return bool(sample.steps) and sample.steps[-1].operation in OPERATIONS


def reads(values: Values, sample: Sample) -> bool:
    """Whether these are the values that the steps of a sample read, each once and none besides, and lead to its answer.

    Where the answer is one of several things, each value must be said of its own.
    """
    steps = list(yields(sample.steps))
    if not is_worked_out(sample) or len(values) != len(steps):
        return False
    if not any(equal(sample.steps[-1].value, golden, sample.language) for golden in sample.golden_answers):
        return False
    for value in values:
        step = next((one for one in steps if _is_of(value, one, sample)), None)
        if step is None:
            return False
        steps.remove(step)
    return True


def shows(values: Values, sample: Sample) -> bool:
    """Whether what a judge read bears its right answer out: all that the steps read, or the answer itself, outright.

    A text gives the answer outright where it names it as an amount or a date, or where it speaks of all that a
    question offers to choose from at once.
    """
    if reads(values, sample):
        return True
    last = sample.steps[-1]
    offered = last.operation in CHOOSING or says_yes(last.value) is not None
    said = [f"{value['of']} {value['value']}" for value in values]
    if not offered:
        return any(agreement(value["value"], last.value, sample.language) == 1.0 for value in values)
    return any(_names_all(one, [sample.steps[number].says for number in last.of]) for one in said)


def _is_of(value: Mapping[str, str], step: Step, sample: Sample) -> bool:
    if agreement(value["value"], step.value, sample.language) < 1.0:
        return False
    last = sample.steps[-1]
    if last.operation not in CHOOSING:
        return True
    options = [sample.steps[number] for number in last.of]
    if step not in options:
        return True
    near = {option.says: nearness(value["of"], option.says) for option in options}
    return near[step.says] == max(near.values())


def _names_all(text: str, options: Sequence[str]) -> bool:
    """Whether a text has, of each of several things, a word that the others have not."""
    told, words = set(content_words(text)), [set(content_words(option)) for option in options]
    own = [mine - set().union(*(other for other in words if other is not mine)) for mine in words]
    return all(told & mine for mine in own)
