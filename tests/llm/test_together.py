"""Parts that are asked side by side: what is asked in a round, what each gets, what becomes of a failure."""

from __future__ import annotations

import pytest

from synth.llm.base import Completion, RequestFailed, Steps
from synth.llm.together import together

from .parts import request


def said(text: str) -> Completion:
    return Completion(text=text, data=None, prompt_tokens=1, completion_tokens=1)


def chain(name: str, length: int) -> Steps[str]:
    """A part that asks `length` times, one thing at a time, and returns all it heard."""
    heard = []
    for number in range(length):
        completion = yield request(f"{name}{number}")
        heard.append(completion.text)
    return "".join(heard)


def pair(name: str) -> Steps[tuple[str, str]]:
    """A part that asks two things at once, and tells a failure from an answer."""
    first, second = yield [request(f"{name}a"), request(f"{name}b")]
    return tuple(str(one) if isinstance(one, RequestFailed) else one.text for one in (first, second))


def rounds(part, answer):
    """What a part asked, round by round, and what it returned; `answer` is given the text of each request."""
    asked = []
    try:
        requests = next(part)
        while True:
            asked.append([one.messages[-1].content for one in requests])
            requests = part.send(tuple(answer(text) for text in asked[-1]))
    except StopIteration as end:
        return asked, end.value


def test_each_round_asks_for_all_and_each_part_hears_its_own():
    asked, returned = rounds(together([chain("x", 1), pair("y"), chain("z", 2), chain("none", 0)]), said)
    assert asked == [["x0", "ya", "yb", "z0"], ["z1"]]
    assert returned == ["x0", ("ya", "yb"), "z0z1", ""]


def test_a_failure_reaches_the_part_that_asked():
    def answer(text):
        return RequestFailed("timeout", "too late") if text in ("yb", "x0") else said(text)

    def careful() -> Steps[str]:
        try:
            return (yield from chain("x", 1))
        except RequestFailed as failure:
            return failure.reason

    _, returned = rounds(together([careful(), pair("y"), chain("z", 2)]), answer)
    assert returned == ["too late", ("ya", "timeout: too late"), "z0z1"]


def test_a_failure_that_a_part_lets_go_ends_them_all():
    closed = []

    def watched() -> Steps[str]:
        try:
            return (yield from chain("z", 2))
        finally:
            closed.append(True)

    with pytest.raises(RequestFailed):
        rounds(
            together([watched(), chain("x", 1)]),
            lambda text: RequestFailed("timeout", "") if text == "x0" else said(text),
        )
    assert closed == [True]
