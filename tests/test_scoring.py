"""The grades of a set, and its worst rows, in both languages."""

import pytest

from synth.evaluation.scoring import RULES, Coverage, score_set
from synth.evaluation.validity import Probe, retriever_scores
from tests.metrics.cases import item
from tests.test_validity import Fixed

GOOD = [
    item("1811", id="a", question="When was the lamp at Kyle Point first lit?", question_type="simple"),
    item("on the pier", id="b", question="Where are ferry tickets sold?", question_type="simple"),
    item("清明", id="c", question="茶农在哪个节气前采茶？", question_type="simple", language="zh-Hans"),
]


def graded(items, **more):
    return {grade.name: grade for grade in score_set(items, **more).grades}


def test_every_rule_has_its_grade_and_every_letter_its_bound():
    assert list(graded(GOOD)) == [*RULES]
    for rule in RULES.values():
        assert [rule.letter(bound) for bound in rule.bounds] == list("ABCD")
        assert list(rule.bounds) == sorted(rule.bounds, reverse=not rule.lower)
        assert rule.letter(2.0 if rule.lower else -1.0) == "E"


def test_what_needs_the_corpus_says_so():
    for name in ("evidence", "documents", "entities", "hard", "retrievable", "discrimination"):
        grade = graded(GOOD)[name]
        assert (grade.value, grade.letter) == (None, "-")
        assert "the documents" in grade.reason.text


@pytest.mark.parametrize(
    ("leak", "answer"),
    [
        ("Was the lamp lit in 1811 or later?", "1811"),
        ("茶农在清明前做什么？", "清明"),
        ("茶農在清明前做什麼？", "清明"),
    ],
)
def test_a_question_that_holds_its_answer_is_a_leak(leak, answer):
    found = score_set([*GOOD, item(answer, id="x", question=leak)])
    (grade,) = [one for one in found.grades if one.name == "no_leaks"]
    assert grade.value == 0.75
    assert grade.letter == "E"
    assert found.worst[0].id == "x"
    assert answer in found.worst[0].faults[0].text


def test_a_comparison_may_name_its_answer():
    older = item("Kyle", id="x", question="Which is older, Kyle or Ness?", question_type="multi_context")
    assert graded([*GOOD, older])["no_leaks"].value == 1.0


@pytest.mark.parametrize("again", ["when was the lamp at kyle point FIRST lit", "茶農在哪個節氣前採茶"])
def test_a_question_asked_twice_is_named_with_the_first(again):
    found = score_set([*GOOD, item("x", id="z", question=again)])
    assert found.worst[0].id == "z"
    assert found.worst[0].faults[0].text in ("repeats the question of a", "repeats the question of c")
    assert found.faulty == 1


def test_faults_from_the_corpus_weigh_most_and_are_counted():
    found = score_set(GOOD, faults={"a": "", "b": "evidence: document 'x' is not in the corpus", "c": ""})
    assert found.worst[0].id == "b"
    grade = found.grades[0]
    assert grade.value == pytest.approx(2 / 3)
    assert grade.low < grade.value < grade.high


def test_retrievers_say_what_is_hard_and_what_nobody_finds():
    probes = [Probe(one.id, one.question, frozenset([one.id]), one.id, one.question) for one in GOOD]
    found = retriever_scores(probes, {"bm25": Fixed("a", "b"), "other": Fixed("b", "a")})
    grades = graded(GOOD, probes=probes, scores=found)
    assert grades["hard"].value == pytest.approx(2 / 3)
    assert grades["retrievable"].value == pytest.approx(2 / 3)
    assert grades["own_words"].value == 1.0
    assert grades["own_words"].letter == "E"
    assert score_set(GOOD, probes=probes, scores=found).worst[0].id == "c"


def test_coverage_is_of_what_could_be_covered():
    grades = graded(
        GOOD, coverage={"documents": Coverage(reached=1, reachable=2), "topics": Coverage(reached=0, reachable=0)}
    )
    assert grades["documents"].value == 0.5
    assert grades["documents"].letter == "C"
    assert grades["topics"].reason.text == "the corpus contains none"


def test_fewer_rows_than_documents_get_no_grade_for_them():
    cover = {name: Coverage(reached=2, reachable=8) for name in ("documents", "entities", "topics")}
    grades = graded(GOOD, coverage=cover)
    assert [(grades[name].letter, grades[name].value) for name in cover] == [("-", 0.25), ("D", 0.25), ("-", 0.25)]
    assert grades["documents"].reason.text == "rows ask about 2 of 8; 3 rows are too few for all"


def test_counts_and_lengths():
    found = score_set(GOOD)
    assert found.counts["question_type"] == {"simple": 3}
    assert found.counts["language"] == {"en": 2, "zh-Hans": 1}
    assert found.lengths["question"].shortest == 5
    assert 0 < found.figures["distinct_2"] <= 1


def test_one_row_is_a_set_too():
    assert graded(GOOD[:1])["variety"].value is None
