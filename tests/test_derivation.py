"""Steps that hold, and steps with every kind of fault, in English and in both Chinese scripts."""

import pytest

from synth.core.records import Step
from synth.generation.derivation import OPERATIONS, closure, equal, fault, says_yes, stands


def read(value, evidence=0, says="a value", of=()):
    return Step(says=says, value=value, evidence=(evidence,), of=of)


def then(operation, value, *of):
    return Step(says="what follows", value=value, operation=operation, of=of)


EN = ["The Kell lighthouse was lit in 1811.", "Kell went dark on 5 May 1860."]
HANS = ["凯尔灯塔于1811年点亮。", "凯尔灯塔于1860年熄灭。"]
HANT = ["凱爾燈塔於1811年點亮。", "凱爾燈塔於1860年熄滅。"]


@pytest.mark.parametrize(
    ("evidence", "steps", "answer", "language"),
    [
        (EN, [read("1811"), read("5 May 1860", 1), then("years_between", "49 years", 0, 1)], "49 years", "en"),
        (EN, [read("1811"), read("5 May 1860", 1), then("years_between", "49 years", 0, 1)], "49", "en"),
        (HANS, [read("1811年"), read("1860年", 1), then("years_between", "49年", 0, 1)], "49年", "zh-Hans"),
        (HANT, [read("1811年"), read("1860年", 1), then("years_between", "49年", 0, 1)], "49年", "zh-Hant"),
        (EN, [read("1811"), then("period", "the 19th century", 0)], "the 19th century", "en"),
        (HANS, [read("1811年"), then("period", "19世纪", 0)], "19世纪", "zh-Hans"),
    ],
)
def test_steps_that_hold(evidence, steps, answer, language):
    assert fault(steps, evidence, answer, language) == ""


@pytest.mark.parametrize(
    ("steps", "answer", "reason"),
    [
        ([], "49 years", "no steps"),
        (
            [read("1811"), read("5 May 1860", 1), then("years_between", "50 years", 0, 1)],
            "50 years",
            "not what follows",
        ),
        ([read("1812"), read("5 May 1860", 1), then("years_between", "48 years", 0, 1)], "48 years", "does not stand"),
        (
            [read("1811", 1), read("5 May 1860", 1), then("years_between", "49 years", 0, 1)],
            "49 years",
            "does not stand",
        ),
        (
            [read("Kell"), read("1811"), read("5 May 1860", 1), then("years_between", "49 years", 1, 2)],
            "49 years",
            "step 1 leads nowhere",
        ),
        (
            [read("1811"), read("5 May 1860", 1), then("years_between", "49 years", 0, 1)],
            "50 years",
            "the answer is '50 years'",
        ),
        ([read("1811"), then("years_between", "49 years", 0, 2), read("5 May 1860", 1)], "49 years", "come before"),
        ([read("1811"), then("years_between", "49 years", 0, -1)], "49 years", "come before"),
        ([read("1811", 2)], "1811", "piece of evidence that there is not"),
        ([read("1811"), read("5 May 1860", 1), then("guessed", "49 years", 0, 1)], "49 years", "is no operation"),
        ([read("Kell"), read("lighthouse"), then("years_between", "49 years", 0, 1)], "49 years", "cannot be decided"),
        ([read("Robert Stevenson", 0)], "Robert Stevenson", "does not stand"),
    ],
)
def test_steps_that_do_not_hold(steps, answer, reason):
    assert reason in fault(steps, EN, answer, "en")


@pytest.mark.parametrize(
    ("operation", "values", "right", "wrong", "language"),
    [
        ("days_between", ("1 May 1860", "5 May 1860"), "4 days", "5 days", "en"),
        ("years_between", ("1914-1918",), "4 years", "5 years", "en"),
        ("years_after", ("1811", "49 years"), "1860", "1861", "en"),
        ("years_before", ("1860年", "49年"), "1811年", "1810年", "zh-Hans"),
        ("difference", ("30 metres", "18 metres"), "12 m", "13 m", "en"),
        ("difference", ("30米", "18米"), "12米", "48米", "zh-Hant"),
        ("total", ("30 metres", "18 metres"), "48 metres", "47 metres", "en"),
        ("total", ("1 km", "500 m"), "1500 m", "501 m", "en"),
        ("ratio", ("30 metres", "15 metres"), "2 times", "3 times", "en"),
        ("ratio", ("30米", "15米"), "2倍", "3倍", "zh-Hans"),
        ("count", ("Kell", "Bell Rock", "Skerry"), "3", "2", "en"),
        ("count", ("凯尔", "贝尔"), "两座", "三座", "zh-Hans"),
        ("agree", ("Robert Stevenson", "Robert Stevenson"), "yes", "no", "en"),
        ("agree", ("1811年", "1860年"), "否", "是", "zh-Hant"),
        ("before", ("1811", "1860"), "yes", "no", "en"),
        ("less", ("30米", "18米"), "不是", "是", "zh-Hans"),
        ("common", ("A; B", "B; C"), "B", "A", "en"),
    ],
)
def test_operations(operation, values, right, wrong, language):
    of = [Step(says=value, value=value, evidence=(0,)) for value in values]
    assert OPERATIONS[operation](of, right, language) is True
    assert OPERATIONS[operation](of, wrong, language) is False


@pytest.mark.parametrize(
    ("operation", "values", "value"),
    [
        ("years_between", ("about 1811", "1860"), "49 years"),
        ("years_between", ("December 1998", "January 2000"), "2 years"),
        ("difference", ("about 30 metres", "18 metres"), "12 metres"),
        ("difference", ("30 metres", "18 kg"), "12 metres"),
        ("difference", ("more than 30 metres", "18 metres"), "12 metres"),
        ("earliest", ("1811", "5 May 1811"), "1811"),
        ("greatest", ("about 30 metres", "31 metres"), "31 metres"),
        ("greatest", ("30 metres", "30 m"), "30 m"),
        ("count", ("Kell", "kell"), "2"),
        ("common", ("A", "A"), "A"),
        ("total", ("20 °C", "10 °C"), "30 °C"),
    ],
)
def test_what_cannot_be_decided_is_not_decided(operation, values, value):
    of = [Step(says=one, value=one, evidence=(0,)) for one in values]
    assert OPERATIONS[operation](of, value, "en") is None


@pytest.mark.parametrize(
    ("operation", "answer"),
    [("earliest", "Kell lighthouse"), ("latest", "Bell Rock"), ("least", "Kell lighthouse"), ("greatest", "Bell Rock")],
)
def test_options_are_chosen_by_their_values(operation, answer):
    evidence = ["The Kell lighthouse was lit in 1811.", "Bell Rock was lit in 1820."]
    options = [read("1811", 0, "Kell lighthouse"), read("1820", 1, "Bell Rock")]
    other = {"Kell lighthouse": "Bell Rock", "Bell Rock": "Kell lighthouse"}[answer]
    assert fault([*options, then(operation, answer, 0, 1)], evidence, answer, "en") == ""
    assert "not what follows" in fault([*options, then(operation, other, 0, 1)], evidence, other, "en")


def test_an_option_is_named_where_its_value_is_read():
    evidence = ["The Kell lighthouse was lit in 1811.", "It was lit in 1820."]
    swapped = [read("1811", 0, "Bell Rock"), read("1820", 1, "Kell lighthouse"), then("earliest", "Bell Rock", 0, 1)]
    assert "does not name 'Bell Rock'" in fault(swapped, evidence, "Bell Rock", "en")
    right = [
        read("1811", 0, "Kell lighthouse"),
        read("1820", 1, "Bell Rock"),
        then("earliest", "Kell lighthouse", 0, 1),
    ]
    assert "does not name 'Bell Rock'" in fault(right, evidence, "Kell lighthouse", "en")
    assert fault(right, evidence, "Kell lighthouse", "en", ("", "Bell Rock")) == ""


def test_a_bridge_leads_to_evidence_that_speaks_of_what_was_read():
    evidence = [
        "The Kell lighthouse was built by Robert Stevenson.",
        "Stevenson was born in 1772.",
        "Smeaton was born in 1724.",
    ]
    bridge = read("Robert Stevenson", 0, "the builder of Kell")
    assert fault([bridge, read("1772", 1, of=(0,))], evidence, "1772", "en") == ""
    assert "does not speak of 'Robert Stevenson'" in fault([bridge, read("1724", 2, of=(0,))], evidence, "1724", "en")


def test_the_steps_that_count():
    steps = [read("a"), read("b", of=(0,)), read("c"), then("total", "d", 1, 2)]
    assert closure(steps) == {0, 1, 2, 3}
    assert closure([]) == set()


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


@pytest.mark.parametrize(
    ("value", "text", "held"),
    [
        ("on August 3, 1952", "Henry Otto (August 8, 1877 – August 3, 1952) was an actor.", True),
        ("936年", "扎赫拉维（936-1013）是一位医生。", True),
        ("936年", "扎赫拉维（1936-1993）是一位医生。", False),
        ("A; B", "A came first, and B after.", True),
        ("A; C", "A came first, and B after.", False),
        ("in 1811", "It was lit in 18110.", False),
    ],
)
def test_what_stands_in_a_text(value, text, held):
    assert stands(value, [text]) is held
