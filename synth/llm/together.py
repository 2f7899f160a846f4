"""Several parts that ask models, as one: what they ask is under way at the same time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from synth.llm.base import Round, Steps, advanced, begun

T = TypeVar("T")


def together(parts: Sequence[Steps[T]]) -> Steps[list[T]]:
    """What each of `parts` returned, in their order; all that they wait for is asked in one round.

    An exception that one of them lets go ends them all.
    """
    results: dict[int, T] = {}
    waiting: dict[int, Round] = {}

    def go_on(number: int, step: Callable[[], Round]) -> None:
        try:
            waiting[number] = step()
        except StopIteration as end:
            results[number] = end.value

    try:
        for number, part in enumerate(parts):
            go_on(number, partial(begun, part))
        while waiting:
            asked, waiting = waiting, {}
            answers = iter((yield [request for one in asked.values() for request in one.requests]))
            for number, one in asked.items():
                go_on(number, partial(advanced, parts[number], one, [next(answers) for _ in one.requests]))
    finally:
        for part in parts:
            part.close()
    return [results[number] for number in range(len(parts))]
