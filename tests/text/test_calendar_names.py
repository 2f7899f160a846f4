"""Names of months, in full and abbreviated."""

import re

import pytest

from synth.text.calendar_names import MONTH_PATTERN, MONTHS, month_number
from synth.text.dates import find_dates


@pytest.mark.parametrize("number", range(1, 13))
def test_every_month_has_its_number_in_full_and_abbreviated(number):
    name = MONTHS[number - 1]
    for written in (name, name[:3], name[:3] + ".", name[:4]) if name[:3] == "Sep" else (name, name[:3]):
        assert re.fullmatch(MONTH_PATTERN, written)
        assert month_number(written) == month_number(written.upper()) == number


@pytest.mark.parametrize("text", ["Sepember", "June.", "July.", "March.", "foo"])
def test_what_is_no_month_does_not_match_as_a_whole(text):
    assert not re.fullmatch(MONTH_PATTERN, text)


def test_a_month_that_ends_a_sentence_does_not_take_the_number_that_begins_the_next():
    assert not [date for date in find_dates("It opened in June. 1811 people came.", "en") if date.value.month]


def test_a_name_that_is_no_month_is_an_error():
    with pytest.raises(ValueError, match="Foo"):
        month_number("foo")
