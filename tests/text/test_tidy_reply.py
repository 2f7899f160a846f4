"""Questions and answers of a model are tidied without losing a part of them."""

import pytest

from synth.text.tidy_reply import tidy_answer, tidy_question


@pytest.mark.parametrize(
    ("answer", "tidied"),
    [
        ("In  1811.", "In 1811"),
        ("于1811年。", "于1811年"),
        ("vitamin C.", "vitamin C"),
        ("version 3.14.", "version 3.14"),
        ("No.", "No"),
        ("wait...", "wait..."),
        (".", "."),
        ("in the U.S.", "in the U.S."),
        ("5 p.m.", "5 p.m."),
        ("a Ph.D.", "a Ph.D."),
        ("Apple Inc.", "Apple Inc."),
        ("Samuel L. Jackson Jr.", "Samuel L. Jackson Jr."),
        ("valves, seals, etc.", "valves, seals, etc."),
        ("at data.example.", "at data.example"),
    ],
)
def test_an_answer_loses_a_full_stop_that_is_no_part_of_a_word(answer, tidied):
    assert tidy_answer(answer) == tidied


@pytest.mark.parametrize(
    ("question", "language", "tidied"),
    [
        ("When\nis it?", "en", "When is it?"),
        ("When is it？", "en", "When is it?"),
        ("when is it", "en", "when is it"),
        ("何时建成?", "zh-Hans", "何时建成？"),
        ("何时建成??", "zh-Hans", "何时建成？"),
        ("何時建成？?", "zh-Hant", "何時建成？"),
        ("灯塔 高度", "zh-Hans", "灯塔 高度"),
        ("何時ですか？", "ja", "何時ですか？"),
    ],
)
def test_a_question_has_one_question_mark_of_its_script(question, language, tidied):
    assert tidy_question(question, language) == tidied
