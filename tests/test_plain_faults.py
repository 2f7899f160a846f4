"""Faults that anybody sees are named, come first among the worst rows, and good rows have none."""

import pytest

from synth.evaluation.plain_faults import plain_faults
from synth.evaluation.scoring import score_set
from synth.evaluation.validity import Probe
from tests.metrics.cases import item, piece

FAULTY = [
    ("Greenhouse 1", "in the north", "the text is not a question"),
    ("Installation steps", "Run the script", "the text is not a question"),
    ("温室一号", "北面", "the text is not a question"),
    ("When's GA?", "no date set", "too few words to be understood"),
    ("Who's there?", "Ann", "too few words to be understood"),
    ("Where is it?", "Bonn", "too few words to be understood"),
    ("What is the height of the?", "5 m", "question is cut off"),
    ("How do I request time off?", "Ask your manager and", "answer is cut off"),
    ("How do I request time off?", "Ask your manager (or the team", "answer is cut off"),
    ("How do I request time off?", ", which is two weeks ahead", "answer is cut off"),
    ("How do I request time off?", "Ask your manager,", "answer is cut off"),
    ("如何申请休假？", "提前两周向主管申请，", "answer is cut off"),
    ("如何申请休假？", "提前两周向主管申请以及", "answer is cut off"),
    ("白茶产于哪里？", "福建的福鼎市和", "answer is cut off"),
    ("How do I request time off?", (), "the row has no golden answer"),
]
SOUND = [
    ("How do I request time off?", "Ask your manager two weeks ahead."),
    ("What is MSP?", "Managed Services Platform"),
    ("Who is Ada Finch?", "an engineer"),
    ("Explain the release process", "A tag is pushed, and the build follows."),
    ("Compare A and B.", "A is faster (by half)."),
    ("牛车水是什么？", "新加坡的唐人街"),
    ("请列出三种泵", "甲、乙、丙"),
    ("白茶产于哪里？", "福建福鼎和政和"),
    ("白茶產於哪裡？", "福建福鼎和政和"),
    ("When was the pump built?", "in 1931"),
    ("Which file holds the keys?", "/etc/keys/"),
    ("What does the option -v turn on?", "the log"),
]


@pytest.mark.parametrize(("question", "answer", "says"), FAULTY)
def test_a_plain_fault_is_named(question, answer, says):
    faults = [fault.text for _, fault in plain_faults(item(answer, question=question))]
    assert any(says in text for text in faults), faults


@pytest.mark.parametrize(("question", "answer"), SOUND)
def test_a_sound_row_has_none(question, answer):
    assert list(plain_faults(item(answer, [piece("The whole sentence.")], question=question))) == []


def test_evidence_that_ends_within_a_sentence_is_cut_off():
    row = item("Bonn", [piece("The office of the company is in the")], question="Where is the office?")
    assert [fault.text for _, fault in plain_faults(row)] == [
        "the evidence is cut off: '…ffice of the company is in the'"
    ]


def test_plain_faults_come_before_hints():
    sound = [item("5 m", id=f"q-{i:02}", question=f"How tall is the tower of {i} Mill Road?") for i in range(20)]
    faulty = [
        item("x y", id=f"z-{i}", question=question)
        for i, question in enumerate(("Greenhouse 1", "When's GA?", "What is the height of the?"))
    ]
    probes = [Probe(row.id, row.question, frozenset({"c"}), "a.md", row.question) for row in sound]
    worst = score_set([*sound, *faulty], probes=probes).worst
    assert {row.id for row in worst[:3]} == {"z-0", "z-1", "z-2"}
