"""Correctness and support: what one text says of another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.records import Passage
from synth.evaluation.measuring.support import supported
from tests.metrics.cases import case, item, scores, value


def right(answer, golden, question="Which is it?"):
    return value("correctness", case(item(golden, question=question), answer)) >= 0.5


@pytest.mark.parametrize(
    ("question", "golden", "answer", "wanted"),
    [
        ("Who built the dam?", "Frank Crowe", "The dam was built by Frank T. Crowe.", True),
        ("Who built the dam?", "Frank Crowe", "It was Bob Smith.", False),
        ("Who built the dam?", "Frank Crowe", "Frank Crowe1.", True),
        ("In which grade is he?", "fourth", "He is in the 4th grade.", True),
        ("How many filters has it?", "six", "It has 6 filters.", True),
        ("How many filters has it?", "6 filters", "It has 8 filters.", False),
        ("When was it opened?", "30 September 1935", "It was opened on September 30, 1935.", True),
        ("When was it opened?", "1935", "It was opened in 19351.", True),
        ("When was it opened?", "1935", "It was opened in 1936.", False),
        ("Where is it?", "Nevada", "It stands onNevada soil.", True),
        ("Who directed it?", "Kristofferson", "It was Kristoferson.", True),
        ("Which Pasha led Egypt?", "Husrev Pasha", "It was Ali Pasha.", False),
        ("水库在哪里？", "湖北省宜昌市", "它位於湖北省宜昌市。", True),
        ("水库在哪里？", "湖北省宜昌市", "它位于四川省。", False),
        ("有多少人？", "三千五百人", "约3,500人。", True),
        ("水庫何時建成？", "2021年", "水庫於二〇二一年建成。", True),
        ("水庫何時建成？", "2021年", "水庫於2012年建成。", False),
    ],
)
def test_correctness(question, golden, answer, wanted):
    assert right(answer, golden, question) == wanted


CONTEXTS = [
    "The Hoover Dam stands in the Black Canyon of the Colorado River.",
    "It was built between 1931 and 1936 by Six Companies.",
    "Thousands of workers came to Nevada.",
]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("The Hoover Dam was built between 1931 and 1936.", "The Hoover Dam was built between 1950 and 1957."),
        ("Six Companies built it.", "Kaiser Steel built it."),
        ("The dam stands in the Black Canyon.", "The dam stands in Utah near Salt Lake City."),
    ],
)
def test_support_ranks_what_the_contexts_say_above_what_they_do_not(better, worse):
    assert supported([better], CONTEXTS) > supported([worse], CONTEXTS) + 0.1


def test_support_in_chinese():
    contexts = ["三峽大壩位於湖北省宜昌市。", "大壩於2006年建成。"]
    assert supported(["三峡大坝于2006年建成。"], contexts) > 0.9
    assert supported(["三峡大坝于1998年动工，位于四川。"], contexts) < 0.8


def test_support_is_undefined_without_an_answer_or_texts():
    texts = (Passage(text="Some."),)
    assert scores("support", case(item("x"), None, contexts=texts))["support"].reason == "the response has no answer"
    assert scores("support", case(item("x"), "。", contexts=texts))["support"].value in (None, 0.0)
    assert (
        scores("support", case(item("x"), "It.", contexts=(Passage(id="c"),)))["support"].reason
        == "the contexts have no texts"
    )
    assert value("support", case(item("x"), "Paris", contexts=())) == 0.0


words = st.lists(
    st.sampled_from("the Hoover dam 1936 opened 水库 建成 三峡 . Nevada".split()), min_size=1, max_size=8
).map(" ".join)


@given(words, words)
def test_both_are_between_0_and_1_and_what_says_all_has_all(one, other):
    assert 0 <= value("correctness", case(item(one), other)) <= 1
    assert 0 <= supported([one], [other]) <= 1
    if set(one.split()) - {"the", "."}:
        assert value("correctness", case(item(one), f"{one} {other}")) == pytest.approx(1.0)
    assert supported([one], [other, one]) >= supported([one], [one]) - 1e-9
