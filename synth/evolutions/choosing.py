"""Questions that put two things side by side and ask for one of them."""

from __future__ import annotations

from collections.abc import Sequence

from synth.derivation import OPERATIONS
from synth.evolutions.base import Eliminated
from synth.evolutions.stated import Stated, child, pieces, simple
from synth.grammar.compositions import Choice
from synth.records import Sample, Step
from synth.text.dates import Date
from synth.writer import Material


def parents_of(material: Material, both: Sequence[Stated]) -> tuple[Sample, ...]:
    """The simple questions that ask for the values of facts; those that can be asked."""
    made = (
        simple(material, one, one.words.when(one.fact) if isinstance(one.value, Date) else one.words.amount(one.fact))
        for one in both
    )
    return tuple(sample for sample in made if sample)


def choose(
    material: Material,
    name: str,
    kind: str,
    parents: Sequence[Sample],
    a: Stated,
    b: Stated,
    choice: Choice | None,
    operation: str,
) -> Sample | Eliminated:
    """The child that asks which of two things is the one that `operation` picks, by their values."""
    if len(parents) < 2:
        return Eliminated("one of the two cannot be asked for on its own")
    if choice is None:
        return Eliminated("the two cannot be put side by side in one question")
    facts = (a.fact, b.fact)
    read = [
        Step(says=option, value=one.term.text, evidence=pieces(material, facts, one.fact))
        for option, one in zip(choice.options, (a, b), strict=True)
    ]
    chosen = [option for option in choice.options if OPERATIONS[operation](read, option, a.language)]
    if len(chosen) != 1:
        return Eliminated("the values do not decide between the two")
    last = Step(says=choice.question, value=chosen[0], operation=operation, of=(0, 1))
    return child(material, kind, name, choice.question, [*read, last], facts, a.language)
