"""Numbers, versions, times of day, bounds and dates are read as people mean them."""

import pytest

from synth.evaluation.measuring.answer_numerals import alike_numerals, bound_at, plain_numerals
from tests.metrics.cases import case, item, value


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1 000 000 people", "1000000 people"),
        ("1\u202f000\u202f000", "1000000"),
        ("1’000’000", "1000000"),
        ("12'500.5", "12500.5"),
        ("1.234,5 kg", "1234.5 kg"),
        ("1.000.000", "1000000"),
        ("192.168.100.200", "192.168.100.200"),
        ("in 2019 300 people", "in 2019 300 people"),
        ("1e6", "1000000"),
        ("2.5E-3", "0.0025"),
        ("10^6", "1000000"),
        ("3 × 10⁸ m", "300000000 m"),
        ("10<sup>-2</sup>", "0.01"),
        ("10^99", "10^99"),
        ("3,5 kg", "3.5 kg"),
        ("0,125 l", "0.125 l"),
        ("1,234 kg", "1,234 kg"),
        ("chapters 3, 5 and 7", "chapters 3, 5 and 7"),
        ("½ litre", "0.5 litre"),
        ("1½", "1.5"),
        ("3/4 cup", "0.75 cup"),
        ("24/7", "24/7"),
        ("1st", "first"),
        ("April 1st", "April 1st"),
        ("1st of May", "1st of May"),
        ("on the 1st", "on the first"),
        ("2:30 a. m.", "2h30m amclock"),
        ("第三名", "3"),
        ("第三次会议", "第三次会议"),
        ("the nineties", "1990s"),
        ("’80s", "1980s"),
        ("2.30 pm", "2h30m pmclock"),
        ("14:30", "2h30m pmclock"),
        ("9:30", "9h30m"),
        ("09:30", "9h30m amclock"),
        ("noon", "0h00m pmclock"),
        ("下午两点半", "2h30m pmclock"),
        ("上午9:05", "9h05m amclock"),
        ("2.30 euros", "2.30 euros"),
    ],
)
def test_numerals_have_one_way_of_writing(text, plain):
    assert plain_numerals(text) == plain


def test_a_roman_numeral_is_a_number_beside_the_same_number():
    assert alike_numerals(["Henry VIII", "Henry 8"]) == ["Henry 8", "Henry 8"]
    assert alike_numerals(["Robert Adamson IV", "Robert Adamson, 28"]) == ["Robert Adamson IV", "Robert Adamson, 28"]


def test_a_comma_is_read_by_the_language_of_the_row_and_a_version_where_it_is_one():
    assert plain_numerals("1,234 kg", "de") == "1.234 kg"
    assert plain_numerals("1.500 Euro", "de-AT") == "1500 Euro"
    assert plain_numerals("1.500 euros", "en") == "1.500 euros"
    assert [plain_numerals(text, versions=True) for text in ("3.10", "3.1", "4.0.0", "v4.0")] == [
        "3v10",
        "3v1",
        "4v0",
        "4v0",
    ]


@pytest.mark.parametrize(
    ("text", "figure", "bound"),
    [
        ("less than 5 m", "5", -1),
        ("no more than 5 m", "5", -1),
        ("not less than 5 m", "5", 1),
        ("more than $5", "5", 1),
        ("≥ 5", "5", 1),
        ("5 or fewer", "5", -1),
        ("18 years or more", "18", 1),
        ("before the year 1990", "1990", -1),
        ("since 1990", "1990", 1),
        ("不少于5人", "5", 1),
        ("不超过5人", "5", -1),
        ("5人以上", "5", 1),
        ("1990年以前", "1990年", -1),
        ("about 5 m", "5", 0),
        ("5 m", "5", 0),
    ],
)
def test_the_words_beside_a_figure_give_its_bound(text, figure, bound):
    start = text.index(figure)
    assert bound_at(text, start, start + len(figure)).direction == bound


RIGHT = [
    ("1 000 000", "1000000"), ("1’000’000", "1000000"), ("1,234.5 kg", "1.234,5 kg"), ("1,000,000", "10^6"),
    ("1000000", "1e6"), ("1000000", "10⁶"), ("2.5×10⁶", "2.5 million"), ("3,5 kg", "3.5 kg"), ("0.000001", "1e-6"),
    ("½ litre", "0.5 litre"), ("3/4 cup", "0.75 cup"), ("1.50", "1.5"), ("XIV", "14"), ("Henry VIII", "Henry 8"),
    ("1st", "first"), ("第三", "3"), ("2.30 pm", "14:30"), ("9:30 am", "09:30"), ("7 pm", "19:00"), ("noon", "12:00"),
    ("midnight", "00:00"), ("9:30 am", "9:30"), ("下午三点", "15:00"), ("v2.10", "2.10"), ("v1.2.0", "1.2"),
    ("15 March 2024", "15/03/2024"), ("15 March 2024", "15.03.2024"), ("15 March 2024", "15-03-2024"),
    ("15 March 2024", "03/15/24"), ("01/02/2023", "1 February 2023"), ("01/02/2023", "January 2, 2023"),
    ("2021年12月25日", "25/12/2021"), ("1990s", "the nineties"), ("True", "yes"), ("at least 18", "18 or more"),
    ("over 65", "more than 65"), ("before 2020", "prior to 2020"), ("至少5人", "不少于5人"), ("less than 5", "5"),
    ("50%", "0.5"), ("5 km", "5000 m"), ("90 minutes", "1.5 hours"),
]  # fmt: skip
WRONG = [
    ("less than 5", "more than 5"), ("before 1990", "after 1990"), ("at least 18", "at most 18"), ("over 65", "under 65"),
    ("至少5人", "最多5人"), ("1990年以前", "1990年以后"), ("10以上", "10以下"), ("3.10", "3.1"), ("v2.10", "2.1"),
    ("Python 3.10", "Python 3.1"), ("version 1.20", "1.2"), ("8 am", "8 pm"), ("8:15", "9:15"), ("下午两点", "上午两点"),
    ("It opens at 9:30 am.", "It opens at 10:30 am."), ("Henry VIII", "Henry VII"), ("True", "no"),
    ("15 March 2024", "14/03/2024"), ("01/02/2023", "1 March 2023"), ("the eighties", "the nineties"),
    ("192.168.1.10", "192.168.1.1"), ("48 metres", "48 feet"), ("5 mg", "5 g"), ("10^6", "10^5"), ("1e6", "1e3"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("golden", "answer", "right"), [*((*pair, True) for pair in RIGHT), *((*pair, False) for pair in WRONG)]
)
def test_answers_are_right_where_a_person_says_so(golden, answer, right):
    language = "zh" if any(char > "\u3400" for char in golden) else "en"
    one = case(item(golden, language=language), answer)
    assert (value("correctness", one) >= 0.5) == right
    by_number = value("numbers_right", one)
    assert by_number is None or (by_number >= 0.5) == right
