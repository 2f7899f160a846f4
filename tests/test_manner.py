"""Styles by their shares, lengths and an example as limits, and the reader who would ask."""

from collections import Counter

import pytest

from synth.likeness import Profile
from synth.manner import Manner
from synth.personas import Persona
from synth.records import Scenario
from tests.corpus import corpus, sample

OF = corpus(
    a="The Kell lighthouse was built in 1811 by the harbour board.", b="凯尔灯塔建于1811年。", c="凱爾燈塔建於1811年。"
)
ENGLISH = sample(OF, "When was the Kell lighthouse built?", "1811", "built in 1811")
ROWS = [
    ENGLISH,
    sample(OF, "凯尔灯塔是哪一年建成的？", "1811年", "凯尔灯塔建于1811年。"),
    sample(OF, "凱爾燈塔是哪一年建成的？", "1811年", "凱爾燈塔建於1811年。"),
]


def scenario(number, language="en"):
    return Scenario(
        scenario_id=f"s-{number}", synthesizer="w", question_type="simple", chunk_ids=(), language=language, seed=0
    )


@pytest.mark.parametrize("row", ROWS, ids=["en", "zh-Hans", "zh-Hant"])
def test_without_a_wish_a_question_stays_as_it_is(row):
    assert Manner().worded(row, scenario(1), OF.graph) == (row,)


@pytest.mark.parametrize("row", ROWS, ids=["en", "zh-Hans", "zh-Hant"])
def test_a_question_in_a_style_says_so_and_has_the_plain_one_behind_it(row):
    restyled, plain = Manner(styles={"keywords": 1.0}).worded(row, scenario(1), OF.graph)
    assert restyled.metadata["style"] == "keywords"
    assert restyled.question != row.question
    assert not restyled.question.endswith(("?", "？"))
    assert plain == row
    assert restyled.golden_answers == row.golden_answers


def test_styles_come_by_their_shares_and_always_alike():
    manner = Manner(styles={"plain": 0.5, "keywords": 0.3, "formal": 0.2})

    def styles():
        found = (manner.worded(ENGLISH, scenario(n), OF.graph)[0] for n in range(400))
        return Counter(str(one.metadata.get("style", "plain")) for one in found)

    counts = styles()
    assert counts == styles()
    assert 170 <= counts["plain"] <= 230
    assert 90 <= counts["keywords"] <= 150
    assert 50 <= counts["formal"] <= 110


def test_the_nearest_reader_asks_and_in_their_style():
    sailor = Persona(name="a sailor", about="", keywords=("lighthouse", "harbour"), style="keywords")
    cook = Persona(name="a cook", about="", keywords=("soup",))
    restyled, plain = Manner(personas=(cook, sailor)).worded(ENGLISH, scenario(1), OF.graph)
    assert restyled.metadata["persona"] == plain.metadata["persona"] == "a sailor"
    assert restyled.metadata["style"] == "keywords"
    assert "persona" not in Manner(personas=(cook,)).worded(ENGLISH, scenario(1), OF.graph)[0].metadata


def test_lengths_are_limits():
    manner = Manner(lengths={"short": 0.5, "long": 0.5})
    taken = Counter()
    assert not manner.excess(ENGLISH, taken, 0)
    taken.update(manner.cells(ENGLISH))
    assert "short" in manner.excess(ENGLISH, taken, 1)
    assert not manner.excess(ENGLISH, taken, 3)


def test_an_example_is_followed_and_never_repeated():
    profile = Profile(["When was the Orm lighthouse built?", "Who keeps the Orm lighthouse?"])
    manner = Manner(profile=profile)
    assert not manner.excess(ENGLISH, Counter(), 0)
    assert "share" in manner.excess(ENGLISH, Counter(manner.cells(ENGLISH)), 1)
    other = sample(OF, "Why was the Kell lighthouse built?", "1811", "built in 1811")
    assert "share" in manner.excess(other, Counter(), 10), "nobody asks why in the example"
    assert not manner.repeats(ENGLISH)
    assert Manner(profile=Profile([ENGLISH.question])).repeats(ENGLISH)


def test_own_words_stand_before_those_of_the_passage_and_are_told():
    other, plain = Manner(own_words=True).worded(ENGLISH, scenario(1), OF.graph)
    assert plain == ENGLISH
    assert other.question == "In what year was the Kell lighthouse constructed?"
    changes = [["When", "In what year"], ["built", "constructed"]]
    assert other.metadata["wording"] == {"as_written": ENGLISH.question, "changes": changes}
    assert other.golden_answers == ENGLISH.golden_answers
    assert other.evidence == ENGLISH.evidence


def test_a_style_is_given_to_own_words_first():
    wordings = Manner(own_words=True, styles={"formal": 1.0}).worded(ENGLISH, scenario(1), OF.graph)
    styles = [(one.metadata.get("style"), "wording" in one.metadata) for one in wordings]
    assert styles == [("formal", True), ("formal", False), (None, True), (None, False)]
    assert "in what year" in wordings[0].question
