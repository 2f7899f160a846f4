"""An amount from a table in thousands or millions has its scale, in English and Chinese."""

import pytest

from synth.generation.filters.grounded import Grounded
from tests.corpus import corpus
from tests.filters.rows import row

OF = corpus(
    notes="Amounts are in millions.\n\n| Year | 2020 | 2021 |\n|---|---|---|\n| Fuel | 40 | 55 |\n| Price | 1.25 | 1.40 |\n"
    "| Chief | 1,250,000 | 1,300,000 |\n\nThe lamp of Kell cost $40.\n",
    plain="| Year | 2020 |\n|---|---|\n| Oil | 40 |\n",
    年報="單位：萬元\n\n| 項目 | 金額 |\n|---|---|\n| 燃料 | 40 |\n",
    年报="（人民币千元）\n\n| 项目 | 金额 |\n|---|---|\n| 汽油 | 40 |\n",
)
FUEL = "| Fuel | 40 | 55 |"


@pytest.mark.parametrize(
    ("quote", "answer", "kept"),
    [
        (FUEL, "$40", False),
        (FUEL, "In 2020 only $ 40", False),
        (FUEL, "40 dollars", False),
        (FUEL, "$40 million", True),
        (FUEL, "$40m", True),
        (FUEL, "$40 to $55 million", True),
        (FUEL, "40", True),
        (FUEL, "$40.000.000", True),
        (FUEL, "$1.2.3,4", True),
        (FUEL, "$40, all told.", False),
        ("| Price | 1.25 | 1.40 |", "$1.25", True),
        ("| Chief | 1,250,000 | 1,300,000 |", "$1,250,000", True),
        ("The lamp of Kell cost $40.", "$40", True),
        ("| Oil | 40 |", "$40", True),
        ("| 燃料 | 40 |", "40元", False),
        ("| 燃料 | 40 |", "40萬元", True),
        ("| 汽油 | 40 |", "40元", False),
    ],
)
def test_a_bare_amount_of_a_scaled_table_is_refused(quote, answer, kept):
    sample = row(OF, "simple", "What does the fuel cost?", answer, [quote])
    found = Grounded(min_recall=0.0).decide(sample, OF)
    assert found.kept == kept, found.reason


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("(in thousands of dollars)", False),
        ("(Dollars in millions, except per share data)", False),
        ("Amounts in US$ thousands", False),
        ("The lamp is used in millions of homes.", True),
        ("Guests come in the thousands.", True),
        ("Guests come in thousands of boats.", True),
    ],
)
def test_a_scale_is_no_count_of_things(text, kept):
    of = corpus(a=f"{text}\n\n| Plan | Price |\n|---|---|\n| Basic | $40 |\n")
    sample = row(of, "simple", "What does the plan cost?", "$40", ["| Basic | $40 |"])
    assert Grounded(min_recall=0.0).decide(sample, of).kept == kept
