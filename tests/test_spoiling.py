"""Wrong answers that are easily mistaken for the right one."""

import json
from pathlib import Path

import pytest

import synth.generation
from synth.generation.spoiling import FAULTS, reversals, spoilt
from synth.text.language import detect

TABLE = "| Year | Keeper |\n|---|---|\n| 1811 | Ann |\n| 1812 | Ben |"
REVERSALS = json.loads((Path(synth.generation.__file__).parent / "reversals.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("answer", "passage", "language", "fault", "wrong"),
    [
        ("in the year 1811", "Built in 1811, lit in 1833, 30 miles away", "en", "another number", "in the year 1833"),
        ("1811年", "建于1811年，1833年点亮，离岸30海里", "zh-Hans", "another number", "1833年"),
        ("Ann", TABLE, "en", "neighbouring cell", "Ben"),
        ("Ben", TABLE, "en", "neighbouring cell", "Ann"),
        ("a bell, a horn and a lamp", "", "en", "dropped item", "a bell, a horn"),
        ("钟、号角、灯", "", "zh-Hans", "dropped item", "钟、灯"),
        ("Keepers may leave.", "", "en", "reversed rule", "Keepers must leave."),
        ("不得離開", "", "zh-Hant", "reversed rule", "可以離開"),
    ],
)
def test_an_answer_is_spoilt_by_its_kind(answer, passage, language, fault, wrong):
    assert dict(spoilt(answer, passage, language))[fault] == wrong


def test_a_number_that_stands_alone_in_its_passage_is_increased():
    ((fault, wrong),) = spoilt("30 miles", "It is 30 miles away.", "en")
    assert fault == "another number"
    assert 30 < int(wrong.split()[0]) < 40


@pytest.mark.parametrize("answer", ["Ann Moor", "a bell and a horn", "安妮", "In May"])
def test_an_answer_without_number_list_or_rule_is_left(answer):
    assert spoilt(answer, "Ann Moor rang a bell and a horn.", detect(answer)) == []


def test_every_fault_has_its_name_and_the_order_does_not_depend_on_chance():
    found = spoilt("At least 3 bells, 4 horns, 5 lamps", TABLE, "en")
    assert found == spoilt("At least 3 bells, 4 horns, 5 lamps", TABLE, "en")
    assert {fault for fault, _ in found} <= set(FAULTS)


def test_words_that_turn_a_rule_round_are_those_of_the_data():
    for text, turned in REVERSALS["fits"].items():
        start, end, other = next(reversals(text, detect(text)))
        assert (text[:start] + other + text[end:]).casefold() == turned.casefold()
    assert [text for text in REVERSALS["plain"] if [*reversals(text, detect(text))]] == []
