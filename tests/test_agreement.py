"""Answers that are the same in other words, in English and in both Chinese scripts."""

import pytest

from synth.generation.matching.agreement import equal, says_yes


@pytest.mark.parametrize(
    ("a", "b", "language", "same"),
    [
        ("Yes", "yes, it does", "en", True),
        ("是", "不是", "zh-Hans", False),
        ("會", "会的", "zh-Hant", True),
        ("no", "nobody", "en", False),
        ("12 m", "12 metres", "en", True),
        ("two", "2", "en", True),
        ("49 years", "49 days", "en", False),
        ("5 May 1811", "May 5, 1811", "en", True),
        ("1811", "1812", "en", False),
    ],
)
def test_equal_answers(a, b, language, same):
    assert equal(a, b, language) is same


def test_yes_and_no():
    assert says_yes("Yes.") is True
    assert says_yes("否") is False
    assert says_yes("Norway") is None
    assert says_yes("是灯塔") is None
