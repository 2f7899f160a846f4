"""The archive of judged questions: which are developed, into what, and which children are kept."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from synth.core.records import Sample
from synth.corpus.sections import sections
from synth.generation.proposals.archive import (
    EVOLVED_SHARES,
    MOVES,
    TWO_SIDED,
    Archive,
    eliminated,
    evolved_shares,
    has_conditions,
    has_two_sides,
)
from synth.models.prompts import load
from tests.proposals.made import corpus_of, prose

CORPUS = corpus_of({f"{n}.md": prose(n) for n in range(4)})
SECTIONS = [sections(CORPUS, f"{n}.md")[0] for n in range(4)]


def question(n, kind="simple", level="easy", natural=4, matters=4, words=0.8, worth=4, topic=""):
    return Sample(
        question=f"Question {n}?",
        golden_answers=(f"{n}",),
        evidence=(),
        question_type=kind,
        language="en",
        metadata={
            "difficulty": level,
            "category": topic or f"topic {n}",
            "ratings": {"natural": natural, "matters": matters, "worth": worth},
            "difficulty_signals": {"overlap": {"words": words}},
        },
    )


@pytest.mark.parametrize(
    ("child", "kept"),
    [
        ({"kind": "reasoning"}, True),
        ({"level": "medium"}, True),
        ({"matters": 5}, True),
        ({"words": 0.5}, True),
        ({"words": 0.75}, False),
        ({"worth": 5}, False),
        ({"natural": 3}, False),
        ({}, False),
    ],
)
def test_a_child_must_be_better_than_its_parent(child, kept):
    reason = eliminated(question(2, **child), question(1))
    assert (reason == "") == kept
    assert kept or "no better than the question that it was developed from" in reason


def test_a_harder_parent_has_easier_children_eliminated():
    assert eliminated(question(2, level="medium"), question(1, level="hard"))


def drawn(archive, rows, count, **more):
    return [(parent.sample.question, parent.types) for parent in archive.parents(rows, count, **more)]


def test_questions_are_developed_where_rows_are_fewest_and_each_in_one_request():
    archive = Archive()
    for n, section in enumerate(SECTIONS):
        archive.add(section, question(n))
    archive.count(question(9, "reasoning", topic="topic 0"))
    rows = {"reasoning": 9}
    first, second = drawn(archive, rows, 2), drawn(archive, rows, 2)
    assert {types for _, types in (*first, *second)} == {("reasoning",)}
    assert len({text for text, _ in (*first, *second)}) == 4
    assert second[-1][0] == "Question 0?", "its topic has a row"
    assert drawn(archive, rows, 2) == []
    assert archive.is_over("reasoning")
    assert not archive.can_give("conditional"), "each was developed"


def test_one_request_develops_questions_into_the_types_of_which_most_rows_are_missing():
    archive = Archive()
    for n, section in enumerate(SECTIONS):
        archive.add(section, question(n))
    types = [types for _, types in drawn(archive, {"simple": 1.3, "reasoning": 1.0, "conditional": 0.2}, 4)]
    assert types == [("simple",), ("reasoning", "conditional"), ("simple",), ("reasoning",)]


def test_a_request_that_must_be_full_waits_for_more_questions():
    archive = Archive()
    archive.add(SECTIONS[0], question(0))
    assert drawn(archive, {"reasoning": 2}, 2, full=True) == []
    assert len(drawn(archive, {"reasoning": 2}, 2)) == 1


def test_two_questions_of_a_section_are_developed_together_at_most():
    archive = Archive()
    for n in range(4):
        archive.add(SECTIONS[0], question(n))
    assert len(drawn(archive, {"reasoning": 9}, 4)) == 2


def test_plain_facts_come_first_and_rows_last():
    archive = Archive()
    row, plain, good = question(0, topic="one"), question(1, topic="one", worth=3), question(2, topic="one", worth=4)
    for section, sample in zip(SECTIONS, (row, good, plain), strict=False):
        archive.add(section, sample)
    archive.claim([row])
    order = [drawn(archive, {"conditional": 1}, 1)[0][0] for _ in range(3)]
    assert order == ["Question 1?", "Question 2?", "Question 0?"]


def test_an_easy_question_is_developed_before_a_hard_one():
    archive = Archive()
    for section, level in zip(SECTIONS, ("hard", "easy"), strict=False):
        archive.add(section, question(1 if level == "easy" else 0, topic="one", level=level))
    assert drawn(archive, {"conditional": 1}, 1)[0][0] == "Question 1?"


def test_only_simple_questions_that_were_not_developed_are_parents():
    archive = Archive()
    archive.add(SECTIONS[0], question(1, "reasoning"))
    assert not archive.can_give("conditional")
    assert not archive.is_over("conditional"), "there was none to begin with"


def test_what_a_question_is_about_says_what_it_can_become():
    archive = Archive()
    archive.add(SECTIONS[0], question(0), {"attribute"})
    assert [archive.can_give(kind) for kind in MOVES] == [True, False, False]
    archive.add(SECTIONS[1], question(1), {"list", "event"})
    assert [archive.can_give(kind) for kind in MOVES] == [True, True, False]
    archive.add(SECTIONS[2], question(2), {"rule"})
    assert not archive.can_give("conditional"), "a rule with one side"
    archive.add(SECTIONS[3], question(3), {"rule", TWO_SIDED})
    assert all(map(archive.can_give, MOVES))


def test_the_words_of_rules_with_two_sides_fit_their_examples():
    lists = json.loads(files("synth.generation.proposals").joinpath("two_sided.json").read_text("utf-8"))
    for language in ("en", "zh"):
        for text in lists["fits"][language]:
            assert has_two_sides(text, "zh-Hant" if language == "zh" else language), text
        for text in lists["does_not_fit"][language]:
            assert not has_two_sides(text, "zh-Hans" if language == "zh" else language), text


@pytest.mark.parametrize(
    ("text", "language", "has"),
    [
        ("If it rains, the fair is off. Otherwise it begins at noon.", "en", True),
        ("If it rains, the fair is off.", "en", False),
        ("The lamp is white and stands on a rock.", "en", False),
        ("如果下雨就停办，否则中午开始。", "zh-Hans", True),
        ("逾期不受理，除非另有通知。", "zh-Hant", True),
        ("灯塔高三十米。", "zh-Hans", False),
        ("Wenn es regnet, sonst nicht, wenn nicht.", "de", False),
    ],
)
def test_a_passage_with_conditions(text, language, has):
    assert has_conditions(text, language) is has


def test_a_log_in_words_of_its_own_asks_for_more_rewording():
    corpus = corpus_of({"kell.md": "The Kell lighthouse was built on a reef in 1811."})
    copied, own = "When was the Kell lighthouse built on a reef?", "How old is that light at sea near Kell?"
    assert evolved_shares([], corpus) == EVOLVED_SHARES
    assert evolved_shares([copied], corpus)["simple"] == EVOLVED_SHARES["simple"]
    shares = evolved_shares([own] * 4 + [copied], corpus)
    assert shares["simple"] == pytest.approx(4 / 5)
    assert {**shares, "simple": 0} == {**EVOLVED_SHARES, "simple": 0}


def test_moves_are_counted_with_what_they_brought():
    archive = Archive()
    parent = question(1, matters=3)
    archive.learn("deepen", parent, question(2, "reasoning", matters=5))
    archive.learn("deepen", parent, None)
    assert archive.packed() == {"deepen": {"tried": 2, "kept": 1, "rating": 4.33, "rating_of_parents": 3.67}}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_move_is_told_in_the_prompt(language):
    prompt = load("proposals/evolve", language)
    known = prompt.schema["properties"]["candidates"]["items"]["properties"]["move"]["enum"]
    moves = [move for kind in MOVES.values() for move in kind]
    assert sorted(known) == sorted(moves)
    assert all(f"- {move}" in prompt.system for move in moves)
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    assert all(move in page for move in moves)
    assert set(EVOLVED_SHARES) == set(MOVES)
