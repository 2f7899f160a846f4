"""A statement beside its new version: what became of the answer, and whether the question still fits."""

import pytest

from synth.testset.update.restatement import Restatement

CASES = [
    ("The server needs 8 GB of memory.", "The server needs 16 GB of memory.", "8 GB", "16 GB"),
    ("The server needs 8 GB of memory.", "The server needs at least 12 GB of memory.", "8 GB", "at least 12 GB"),
    ("The Board was created in 1786.", "The Board was created in 1789.", "In 1786", "In 1789"),
    ("About 50% of them fail.", "About 60% of them fail.", "50%", "60%"),
    ("It holds 8 GB.", "It holds 16 GB.", "8 gigabytes", "16 gigabytes"),
    ("The server needs 8 GB of memory.", "The new server needs 8 GB of memory.", "8 GB", "8 GB"),
    ("服务器需要8 GB内存。", "服务器需要16 GB内存。", "8 GB", "16 GB"),
    ("车站于一九五〇年启用。", "车站于一九六二年启用。", "一九五〇年", "一九六二年"),
    ("車站於1950年啟用。", "車站於1962年啟用。", "1950年", "1962年"),
    ("The port is open.", "The port is closed.", "Yes", None),
    ("It needs 8 GB here and 8 GB there.", "It needs 8 GB here and 16 GB there.", "8 GB", None),
    ("Use the hammer first.", "Use first.", "the hammer", None),
]


@pytest.mark.parametrize(("old", "new", "answer", "wanted"), CASES)
def test_an_answer_follows_its_text(old, new, answer, wanted):
    assert Restatement.of(old, new).counterpart(answer) == wanted


@pytest.mark.parametrize(
    ("old", "new", "question", "answer", "said"),
    [
        ("Version 2.1 takes 8 users.", "Version 2.2 takes 8 users.", "How many does version 2.1 take?", "8", "'2.1'"),
        ("The limit must be 30.", "The limit must not be 30.", "What must the limit be?", "30", "'not'"),
        ("Oak Hall holds 30.", "Elm Hall holds 40.", "How many does Oak Hall hold?", "30", "'oak'"),
        ("东站可以停车。", "东站不可以停车。", "东站可以做什么？", "停车", "'不'"),
        ("東站可以停車。", "東站不可以停車。", "東站可以做什麼？", "停車", "'不'"),
        ("Oak Hall holds 30.", "Oak Hall holds 40.", "How many does Oak Hall hold?", "30", ""),
        ("车站于1950年启用。", "车站于1962年启用。", "车站是哪一年启用的？", "1950年", ""),
    ],
)
def test_a_question_about_what_went_or_was_turned_no_longer_fits(old, new, question, answer, said):
    language = "zh-Hans" if "站" in question else "en"
    fault = Restatement.of(old, new).misfit(question, [answer], language)
    assert said in fault
    assert bool(fault) is bool(said)


def test_the_changes_are_told_in_the_words_of_the_texts():
    assert Restatement.of("It took Oak Miller 8 years.", "It took Ann Weber 9 years.").changes == [
        ("Oak Miller 8", "Ann Weber 9")
    ]


def test_a_name_that_became_another_is_asked_about_no_longer():
    told = Restatement.of("东山大桥建于1950年，位于东山河上。", "凤溪大桥建于1955年，位于凤溪河上。")
    assert "东" in told.misfit("东山大桥建于哪一年？", ["1950年"], "zh-Hans")
    told = Restatement.of("东山大桥建于1950年。", "东山大桥建成于1955年。")
    assert told.misfit("东山大桥建于哪一年？", ["1950年"], "zh-Hans") == ""
