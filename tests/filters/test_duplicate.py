"""No question twice; questions that differ in a number or a name are two."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ConfigError
from synth.filters.duplicate import Duplicate
from tests.corpus import corpus, sample

CORPUS = corpus(en="The Kell lighthouse was built in 1811.")
BASE = sample(CORPUS, "x?", "1811", "The Kell lighthouse was built in 1811.")


def judged(first, second, **settings):
    gate = Duplicate(**settings)
    gate.admit(replace(BASE, question=first))
    return gate.judge(replace(BASE, question=second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("When was the Kell lighthouse built?", "When was the Kell lighthouse built?"),
        ("When was the Kell lighthouse built?", "when was the Kell  lighthouse built ?"),
        ("When was the Kell lighthouse first built by them?", "When was the Kell lighthouse first built?"),
        ("凯尔灯塔是哪一年建成的？", "凱爾燈塔是哪一年建成的?"),
        ("凯尔灯塔的灯光在多远的海面上能看见？", "凯尔灯塔的灯光在多远的海面能看见？"),
    ],
)
def test_the_same_question_is_refused(first, second):
    assert not judged(first, second).kept


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("What was the turnover of the Kell ferry in 2022?", "What was the turnover of the Kell ferry in 2023?"),
        ("凯尔轮渡2022年的营业额是多少？", "凯尔轮渡2023年的营业额是多少？"),
        ("When was the lighthouse of Kell built by the Board?", "When was the lighthouse of Fell built by the Board?"),
        (
            "What does the option `read_timeout` set in the client?",
            "What does the option `read_limit` set in the client?",
        ),
        ("When was the Kell lighthouse built?", "Who lit the lamp of the Kell lighthouse first?"),
    ],
)
def test_questions_that_ask_different_things_are_both_kept(first, second):
    assert judged(first, second).kept


def test_one_word_of_chinese_makes_another_question_when_the_answer_is_another():
    gate = Duplicate(threshold=0.3)
    gate.admit(replace(BASE, question="南站是哪一年启用的？", golden_answers=("1951年",)))
    assert gate.judge(replace(BASE, question="北站是哪一年启用的？", golden_answers=("1952年",))).kept
    assert not gate.judge(replace(BASE, question="南站是哪一年启用了的？", golden_answers=("1952年",))).kept
    assert not gate.judge(replace(BASE, question="南站是哪一年起用的？", golden_answers=("1951年",))).kept


@given(st.text(min_size=1, max_size=60))
def test_every_question_is_a_duplicate_of_itself(question):
    assert not judged(question, question).kept


def test_what_was_refused_is_not_remembered():
    gate = Duplicate()
    gate.judge(BASE)
    assert gate.judge(BASE).kept


@pytest.mark.parametrize("threshold", [0, 1.5, -1])
def test_a_threshold_that_makes_no_sense_is_refused(threshold):
    with pytest.raises(ConfigError, match="threshold"):
        Duplicate(threshold=threshold)
