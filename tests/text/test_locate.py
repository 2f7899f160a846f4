"""Quotations are found although they were not copied exactly, and only where they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.text.locate import is_whole, locate

TEXT = "# Kell\n\nThe **Kell lighthouse** was\nbuilt in `1811`. 凯尔灯塔建于１８１１年，立在[礁石](rock.md)上。"


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The Kell lighthouse was built in 1811.", "The **Kell lighthouse** was\nbuilt in `1811`"),
        ("the kell   lighthouse WAS built", "The **Kell lighthouse** was\nbuilt"),
        ("凯尔灯塔建于1811年,立在礁石上", "凯尔灯塔建于１８１１年，立在[礁石](rock.md)上"),
        ("凱爾燈塔建於1811年", "凯尔灯塔建于１８１１年"),
    ],
)
def test_found(quote, found):
    start, end = locate(quote, TEXT, markdown=True)
    assert TEXT[start:end] == found


@pytest.mark.parametrize("quote", ["The Kell lighthouse was built in 1812.", "", "…", "rock.md", "built was Kell"])
def test_not_found(quote):
    assert locate(quote, TEXT, markdown=True) is None


def test_only_between_start_and_end():
    assert locate("built", TEXT, 10, 60, markdown=True) == (TEXT.index("built"), TEXT.index("built") + 5)
    assert locate("built", TEXT, 40, 60, markdown=True) is None
    assert locate("built", TEXT, 0, 30, markdown=True) is None


@given(st.text(alphabet="ab c灯塔，。 12", min_size=1, max_size=60), st.data())
def test_every_part_of_a_text_is_found_in_it(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    part = text[start:end]
    found = locate(part, text, markdown=False)
    if any(char.isalnum() for char in part):
        assert found is not None
        assert "".join(filter(str.isalnum, text[slice(*found)])) == "".join(filter(str.isalnum, part))


@pytest.mark.parametrize(
    ("text", "quote", "whole"),
    [
        ("You use ResponseNext here.", "Response", False),
        ("It was in 17865.", "in 1786", False),
        ("It was in 1786.", "in 1786", True),
        ("它于1786年启用。", "于1786", True),
        ("It takes `a_b`.", "`a_b`", True),
    ],
)
def test_a_word_cut_in_two_is_no_whole_one(text, quote, whole):
    start = text.index(quote)
    assert is_whole(text, start, start + len(quote)) is whole
