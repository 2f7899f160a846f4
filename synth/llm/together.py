"""Several parts that ask models, as one: what they ask is under way at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from synth.llm.base import Request, RequestFailed, Steps

T = TypeVar("T")


def together(parts: Sequence[Steps[T]]) -> Steps[list[T]]:
    """What each of `parts` returned, in their order; all that they wait for is asked in one round.

    An exception that one of them lets go ends them all.
    """
    results: dict[int, T] = {}
    waiting: dict[int, tuple[bool, tuple[Request, ...]]] = {}

    def go_on(number: int, answer: Any) -> None:
        part = parts[number]
        try:
            asked = part.throw(answer) if isinstance(answer, RequestFailed) else part.send(answer)
        except StopIteration as end:
            results[number] = end.value
        else:
            single = isinstance(asked, Request)
            waiting[number] = single, (asked,) if isinstance(asked, Request) else tuple(asked)

    try:
        for number in range(len(parts)):
            go_on(number, None)
        while waiting:
            asked, waiting = waiting, {}
            answers = iter((yield [request for _, requests in asked.values() for request in requests]))
            for number, (single, requests) in asked.items():
                mine = tuple(next(answers) for _ in requests)
                go_on(number, mine[0] if single else mine)
    finally:
        for part in parts:
            part.close()
    return [results[number] for number in range(len(parts))]
