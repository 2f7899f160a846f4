"""Styles by their shares, lengths and an example as limits, and the reader who would ask."""

from collections import Counter
from dataclasses import replace

import pytest

from synth.core.records import Scenario
from synth.generation.personas import Persona
from synth.generation.query_log import LogProfile
from synth.generation.question_form import QuestionMix
from tests.corpus import corpus, graph_of, sample

OF = corpus(
    a="The Kell lighthouse was built in 1811 by the harbour board.", b="凯尔灯塔建于1811年。", c="凱爾燈塔建於1811年。"
)
GRAPH = graph_of(OF)
ENGLISH = sample(OF, "When was the Kell lighthouse built?", "1811", "built in 1811")
ROWS = [
    ENGLISH,
    sample(OF, "凯尔灯塔是哪一年建成的？", "1811年", "凯尔灯塔建于1811年。"),
    sample(OF, "凱爾燈塔是哪一年建成的？", "1811年", "凱爾燈塔建於1811年。"),
]


def scenario(number, language="en"):
    return Scenario(scenario_id=f"s-{number}", synthesizer="w", question_type="simple", chunk_ids=(), language=language)


@pytest.mark.parametrize("row", ROWS, ids=["en", "zh-Hans", "zh-Hant"])
def test_without_a_wish_a_question_stays_as_it_is(row):
    assert QuestionMix().worded(row, scenario(1), OF, GRAPH) == (row,)


@pytest.mark.parametrize("row", ROWS, ids=["en", "zh-Hans", "zh-Hant"])
def test_a_mistyped_question_says_so_and_has_the_plain_one_behind_it(row):
    mistyped, plain = QuestionMix(styles={"typos": 1.0}).worded(row, scenario(1), OF, GRAPH)
    assert mistyped.metadata["style"] == "typos"
    assert mistyped.question != row.question
    assert plain == row
    assert mistyped.golden_answers == row.golden_answers


def test_styles_come_by_their_shares_and_always_alike():
    mix = QuestionMix(styles={"plain": 0.7, "typos": 0.3})

    def styles():
        found = (mix.worded(ENGLISH, scenario(n), OF, GRAPH)[0] for n in range(400))
        return Counter(str(one.metadata.get("style", "plain")) for one in found)

    counts = styles()
    assert counts == styles()
    assert 90 <= counts["typos"] <= 150
    assert counts["plain"] == 400 - counts["typos"]


def test_the_nearest_reader_asks_and_in_their_style_where_no_model_is_needed():
    sailor = Persona(name="a sailor", about="", keywords=("lighthouse", "harbour"), style="typos")
    cook = Persona(name="a cook", about="", keywords=("soup",))
    mistyped, plain = QuestionMix(personas=(cook, sailor)).worded(ENGLISH, scenario(1), OF, GRAPH)
    assert mistyped.metadata["persona"] == plain.metadata["persona"] == "a sailor"
    assert mistyped.metadata["style"] == "typos"
    assert "persona" not in QuestionMix(personas=(cook,)).worded(ENGLISH, scenario(1), OF, GRAPH)[0].metadata
    formal = QuestionMix(personas=(replace(sailor, style="formal"),)).worded(ENGLISH, scenario(1), OF, GRAPH)
    assert [one.question for one in formal] == [ENGLISH.question]


def test_lengths_are_limits():
    mix = QuestionMix(lengths={"short": 0.5, "long": 0.5})
    taken = Counter()
    assert not mix.excess(ENGLISH, taken, 0)
    taken.update(mix.cells(ENGLISH))
    assert "short" in mix.excess(ENGLISH, taken, 1)
    assert not mix.excess(ENGLISH, taken, 3)


def test_an_example_is_followed_and_never_repeated():
    profile = LogProfile(["When was the Orm lighthouse built?", "Who keeps the Orm lighthouse?"])
    mix = QuestionMix(profile=profile)
    assert not mix.excess(ENGLISH, Counter(), 0)
    assert "share" in mix.excess(ENGLISH, Counter(mix.cells(ENGLISH)), 1)
    other = sample(OF, "Why was the Kell lighthouse built?", "1811", "built in 1811")
    assert "share" in mix.excess(other, Counter(), 10), "nobody asks why in the example"
    assert not mix.repeats(ENGLISH)
    assert QuestionMix(profile=LogProfile([ENGLISH.question])).repeats(ENGLISH)


def test_a_chat_model_is_asked_for_the_length_of_the_example():
    chunk = next(OF.chunks()).chunk_id
    asked = "How many keepers have ever lived in the old Orm lighthouse on the far side of the bay?"
    assert QuestionMix(profile=LogProfile([asked])).form("t-1", chunk, OF, GRAPH).length == "long"
    named = QuestionMix(profile=LogProfile([asked]), lengths={"short": 1.0})
    assert named.form("t-1", chunk, OF, GRAPH).length == "short"
