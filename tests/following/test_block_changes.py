"""Rows on lists and tables that changed: the whole new list, the value of the same cell, or a reason why not."""

import json

import pytest

from synth.core.jsonl import dumps, sample_to_row
from synth.core.records import text_hash
from synth.corpus.fingerprints import outline
from synth.testset.update.alignment import Alignment, KnownCorpus
from synth.testset.update.block_changes import ListChange, RowChange, numbers_in
from synth.testset.update.decision import ExistingRow, decide
from synth.testset.update.restatement import Restatement
from synth.testset.update.revision import Statements
from tests.corpus import corpus, document, sample

LIST = "# Ferry\n\nPassengers bring:\n\n- a ticket\n- a jacket\n- food\n\nThe ferry is blue.\n"
CHINESE = "# 渡轮\n\n乘客要带：\n\n- 船票\n- 外套\n- 食物\n\n渡轮是蓝色的。\n"
TABLE = "# Fares\n\n| Ticket | Price | Seat |\n| --- | --- | --- |\n| Day | 12 euros | optional |\n| Season | 99 euros | optional |\n"


def decided(old, new, question, answer, quote, language="en"):
    one = sample(corpus(**{"a.md": old}), question, answer, quote, language=language)
    row = json.loads(dumps(sample_to_row(one)))
    known = KnownCorpus({"a.md": text_hash(old)}, {"a.md": outline(old)}, True)
    alignment = Alignment(known, {"a.md": document("a.md", new)})
    existing = ExistingRow(1, dumps(row), row, one)
    return decide(existing, alignment, Statements(alignment), lambda doc_id, start: f"{doc_id}:{start}")


@pytest.mark.parametrize(
    ("old", "item", "items", "question", "answer", "expected"),
    [
        (LIST, "- food", "- food\n- a book", "What do they bring?", "a ticket; a jacket; food", "a ticket; a jacket; food; a book"),
        (LIST, "- a jacket", "- a jacket\n- a book", "What do they bring?", "a ticket, a jacket and food", "a ticket, a jacket, a book and food"),
        (LIST, "- a jacket\n", "", "What do they bring?", "a ticket; a jacket; food", "a ticket; food"),
        (LIST, "- food", "- food\n- a book", "How many things do they bring?", "3 things", "4 things"),
        (CHINESE, "- 食物", "- 食物\n- 书", "乘客要带什么？", "船票；外套；食物", "船票；外套；食物；书"),
        (CHINESE, "- 船票", "- 书\n- 船票", "乘客要带什么？", "船票、外套和食物", "书、船票、外套和食物"),
    ],
)  # fmt: skip
def test_a_list_with_another_number_of_items_is_taken_whole(old, item, items, question, answer, expected):
    quote = old[old.index("- ") : old.index("\n\n", old.index("- "))]
    new = old.replace(item, items)
    decision = decided(old, new, question, answer, quote, "en" if old is LIST else "zh-Hans")
    assert decision.kind == "revise"
    assert decision.sample.golden_answers == (expected,)
    assert decision.sample.evidence[0].text == new[new.index("- ") : new.index("\n\n", new.index("- "))]


@pytest.mark.parametrize("question", ["乘客要带哪三种东西？", "乘客要带哪3种东西？"])
def test_a_question_that_names_the_old_number_of_items_does_not_fit(question):
    quote = "- 船票\n- 外套\n- 食物"
    decision = decided(
        CHINESE, CHINESE.replace("- 食物", "- 食物\n- 书"), question, "船票；外套；食物", quote, "zh-Hans"
    )
    assert decision.kind == "retire"
    assert "speaks of 3, and the list has 4 items now" in decision.reason
    assert decision.proposal.golden_answers == ("船票；外套；食物；书",)
    assert decision.proposal.evidence[0].text.endswith("- 书")


@pytest.mark.parametrize("question", ["售票处卖哪三种票？", "售票处卖哪3种票？", "售票處賣哪三種票？"])
@pytest.mark.parametrize("old", ["售票处卖三种票，可以退款。", "售票处卖3种票，可以退款。"])
def test_a_numeral_of_the_question_is_checked_in_either_form(question, old):
    change = Restatement.of(old, old.replace("三", "四").replace("3", "4"))
    fault = change.misfit(question, ["可以退款"], "zh-Hans")
    assert "number 3" in fault or "no longer contains '3'" in fault


def test_an_answer_that_names_part_of_a_list_is_uncertain_unless_it_still_stands_there():
    change = ListChange(("a", "b", "c"), ("a", "b", "d", "e"))
    assert change.counterpart("b") == "b"
    assert change.counterpart("b and c") is None


def test_a_row_of_a_table_keeps_its_first_cell_and_gives_the_new_value():
    new = TABLE.replace("12 euros | optional", "14 euros before noon, 16 after | required")
    decision = decided(TABLE, new, "What does the day ticket cost?", "12 euros", "| Day | 12 euros | optional |")
    assert decision.kind == "revise"
    assert decision.sample.golden_answers == ("14 euros before noon, 16 after",)
    seat = decided(TABLE, new, "Which seat does the day ticket have?", "optional", "| Day | 12 euros | optional |")
    assert seat.sample.golden_answers == ("required",)


def test_a_question_about_a_cell_that_changed_does_not_fit():
    change = RowChange(("Day", "12 euros", "optional"), ("Day", "14 euros", "optional"))
    assert "12 euros" in change.misfit("Which ticket costs 12 euros?", ["Day"], "en")
    assert change.counterpart("Yes") is None


def test_a_whole_table_is_proposed_where_the_new_answer_is_uncertain():
    quote = TABLE[TABLE.index("|") :].strip()
    new = TABLE.replace("99 euros", "9 euros") + "| Group | 40 euros | optional |\n"
    decision = decided(TABLE, new, "Which ticket costs least?", "Day", quote)
    assert decision.kind == "retire"
    assert decision.proposal.evidence[0].text == new[new.index("|") :].strip()
    assert decision.proposal.golden_answers == ("Day",)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("three tickets, 四十 seats, 1,200 euros", {3, 40, 1200}),
        ("In 1811, 12 people", {1811, 12}),
        ("It costs 1,200, or 1,500.", {1200, 1500}),
        ("共三種,3元,12位", {3, 12}),
        ("0 euros", {0}),
        ("zero euros", {0}),
        ("the one ticket", set()),
        ("1 ticket", {1}),
        ("哪一年的零件", set()),
        ("twenty-one tickets, 二十一張", {21}),
        ("1,2 or 3", {3}),
    ],
)
def test_numbers_are_read_in_every_form(text, numbers):
    assert numbers_in(text) == numbers


def test_a_number_before_a_comma_is_compared_and_its_comma_stays():
    change = Restatement.of("The crossing takes 12, at most.", "The crossing takes long.")
    assert "number 12," in change.misfit("Which crossing takes twelve minutes?", ["it"], "en")
    assert ListChange(("a", "b", "c"), ("a", "b", "c", "d")).counterpart("3, as listed") == "4, as listed"
