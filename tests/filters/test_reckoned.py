"""What is computed for an answer is what the answer says, and what cannot be computed proves nothing."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.generation.filters.reckoned import Reckoned, value
from tests.corpus import corpus
from tests.filters.rows import row

TEXT = "The Kell lighthouse was built in 1811, the Maro lighthouse in 1833."
OF = corpus(a=TEXT)


def verdict(reckoning, answer):
    sample = row(OF, "reasoning", "How much?", answer, [TEXT], metadata={"reckoning": reckoning})
    return Reckoned().decide(sample, OF)


@pytest.mark.parametrize(
    ("reckoning", "answer"),
    [
        ("1833 - 1811", "22 years"),
        ("1811 - 1833", "22 years earlier"),
        ("1833 − 1811 = 22", "22年"),
        ("(12 + 3) × 4", "60"),
        ("（12 + 3）×4", "６０"),
        ("1,200 / 7", "about 171"),
        ("1,200 / 7", "171.43"),
        ("30 / 40", "75 %"),
        ("30 / 40", "25 % less"),
        ("3 * 30", "1.5 hours"),
        ("2 * 7", "two weeks"),
        ("0.23 * 114000", "About 26,000: 23% of some 114,000 people"),
        ("0.23 * 114000", "约26000人"),
    ],
)
def test_what_follows_passes(reckoning, answer):
    found = verdict(reckoning, answer)
    assert found.kept, found.reason


@pytest.mark.parametrize(
    ("reckoning", "answer"),
    [
        ("1833 - 1811", "23 years"),
        ("1833 - 1811", "44 years and 5 days"),
        ("(12 + 3) × 4", "24"),
        ("1200 / 7", "172.43"),
        ("１２ ÷ ５", "4"),
        ("0.23 * 114000", "26,000"),
        ("0.23 * 114000", "about 27,000"),
        ("57 * 1", "about 100"),
    ],
)
def test_what_does_not_follow_is_refused(reckoning, answer):
    found = verdict(reckoning, answer)
    assert not found.kept
    assert reckoning in found.reason


@pytest.mark.parametrize(
    "reckoning",
    ["", "1833", "later - earlier", "1 / 0", "2 ** 9", "__import__('os')", "1 +", "1 + " * 40 + "1", "True + 1"],
)
def test_what_cannot_be_computed_proves_nothing(reckoning):
    assert value(reckoning) is None
    assert verdict(reckoning, "23 years").kept


@given(st.integers(0, 9999), st.integers(0, 9999), st.sampled_from("+-*"))
def test_whole_numbers_are_computed_exactly(left, right, sign):
    expected = {"+": left + right, "-": left - right, "*": left * right}[sign]
    assert value(f"{left} {sign} {right}") == Fraction(expected)
    assert value(f"{left:,} {sign} {right:,} = 7") == Fraction(expected)
