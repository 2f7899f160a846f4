"""Answers that say the same."""

import pytest

from synth.text.same_answer import gist


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("A Certificate-Signing Request", "certificate signing requests", True),
        ("a set of gates that supports mills", "a set of gates that support mills", True),
        ("a set of gates that supports mills", "a set of doors that supports mills", False),
        ("一个水闸", "一個水閘", True),
        ("一个水闸", "两个水闸", False),
        ("log", "logs", False),
        ("the log", "Log", True),
        ("5 gates", "5 gate", False),
        ("3.14", "314", False),
    ],
)
def test_answers_that_differ_in_endings_alone_are_one(one: str, other: str, is_same: bool) -> None:
    assert (gist(one) == gist(other)) is is_same
