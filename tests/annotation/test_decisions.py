"""What people decide is kept, and undone, and never mixed up."""

import threading

import pytest

from synth.annotation.decisions import Decisions, Overtaken, store_path
from synth.annotation.records import MOST_CHARACTERS, annotation_of, sample_hash
from synth.core.errors import InputError, RecordError
from tests.annotation.rows import corpus_and_rows, document, said, sample

ROWS = corpus_and_rows(6)[1]


@pytest.fixture
def decisions(tmp_path):
    with Decisions(tmp_path / "a.sqlite") as opened:
        yield opened


def test_the_last_decision_of_each_person_counts(decisions):
    decisions.add(said(ROWS[0]), "review")
    decisions.add(said(ROWS[0], "bo", "reject", reason="trivial"), "review")
    decisions.add(said(ROWS[0], decision="edit", question="第一?"), "review")
    found = [(k.annotation.annotator, k.annotation.decision, k.annotation.question) for k in decisions.all()]
    assert found == [("bo", "reject", ""), ("ann", "edit", "第一?")]


def test_the_same_again_is_kept_once(decisions):
    first = decisions.add(said(ROWS[0], ratings={"fluency": 3}, comment=" 好 "), "review", 0)
    again = decisions.add(said(ROWS[0], ratings={"fluency": 3}, comment="好"), "review", 0)
    assert first == again
    assert first.annotation.comment == "好"


def test_a_decision_made_elsewhere_meanwhile_is_not_overwritten(decisions):
    first = decisions.add(said(ROWS[0]), "review", 0)
    with pytest.raises(Overtaken) as caught:
        decisions.add(said(ROWS[0], decision="reject", reason="other"), "review", 0)
    assert caught.value.current == first
    assert decisions.add(said(ROWS[0], decision="reject", reason="other"), "review", first.number).number > first.number


def test_undo_goes_back_one_by_one_and_brings_back_what_was_before(decisions):
    rows = {row.id for row in ROWS}
    decisions.add(said(ROWS[0]), "review")
    decisions.add(said(ROWS[1]), "import")
    decisions.add(said(ROWS[0], decision="skip"), "review")
    decisions.add(said(ROWS[2], "bo"), "review")
    assert decisions.undo("ann", rows).annotation.decision == "skip"
    assert decisions.current(ROWS[0].id, sample_hash(ROWS[0]), "ann").annotation.decision == "accept"
    assert decisions.undo("ann", {ROWS[5].id}) is None
    assert decisions.undo("ann", rows).annotation.sample_id == ROWS[0].id
    assert decisions.undo("ann", rows) is None, "what came from a file is not undone by a key"
    assert {k.annotation.annotator for k in decisions.all()} == {"ann", "bo"}


def test_adjudications_stand_beside_what_the_same_person_said(decisions):
    decisions.add(said(ROWS[0], decision="reject", reason="other"), "review")
    decisions.add(said(ROWS[0], adjudicated=True), "review")
    assert [k.annotation.decision for k in decisions.all()] == ["reject", "accept"]


def test_many_threads_and_two_connections_lose_nothing(tmp_path):
    path = tmp_path / "a.sqlite"
    with Decisions(path) as first, Decisions(path) as second:
        before = second.version()

        def work(name, log):
            for row in ROWS:
                log.add(said(row, name), "review", 0)

        threads = [threading.Thread(target=work, args=(f"p{n}", (first, second)[n % 2])) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(first.all()) == len(second.all()) == 36
        assert second.version() != before


def test_a_batch_is_kept_whole_or_not_at_all(decisions):
    def half():
        with decisions.batch():
            decisions.add(said(ROWS[0]), "import")
            decisions.add(None, "import")

    with pytest.raises(AttributeError):
        half()
    assert decisions.all() == []


def test_what_is_no_log_is_named(tmp_path):
    path = tmp_path / "x.sqlite"
    path.write_text("this is no database, whatever its name says" * 50)
    with pytest.raises(InputError, match=r"x\.sqlite cannot be opened"):
        Decisions(path)


def test_the_log_stands_beside_the_set(tmp_path):
    assert store_path(tmp_path / "testset.jsonl").name == "annotations.sqlite"
    assert store_path(tmp_path / "zh.jsonl").name == "zh.annotations.sqlite"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"decision": "maybe"}, "must be one of accept"),
        ({"decision": "edit"}, "changes neither"),
        ({"decision": "reject"}, "needs one of the reasons"),
        ({"decision": "reject", "reason": "boring"}, "needs one of the reasons"),
        ({"decision": "accept", "ratings": {"fluency": 4}}, "fluency must be 1 to 3"),
        ({"decision": "accept", "ratings": {"fluency": True}}, "fluency must be 1 to 3"),
        ({"decision": "accept", "ratings": {"beauty": 1}}, "unknown dimension 'beauty'"),
        ({"decision": "accept", "ratings": [1]}, "ratings must be"),
        ({"decision": "accept", "comment": 5}, "comment must be a text"),
        ({"decision": "edit", "question": "x" * (MOST_CHARACTERS + 1)}, "at most 20000"),
    ],
)
def test_what_is_no_annotation_is_refused_with_its_place(given, says):
    with pytest.raises(RecordError, match=rf"row 7: .*{says}"):
        annotation_of(ROWS[0], "ann", given, "row 7")


def test_an_accepted_row_with_another_wording_is_an_edit():
    one = annotation_of(ROWS[1], "李", {"decision": "accept", "golden_answers": ["1701年", " 一七〇一年 ", ""]}, "x")
    assert (one.decision, one.question) == ("edit", ROWS[1].question)
    assert one.golden_answers == ("1701年", "一七〇一年")


def test_halves_of_characters_are_replaced():
    one = annotation_of(ROWS[0], "ann", {"decision": "accept", "comment": "a\ud800b\0c\r\nd"}, "x")
    assert one.comment == "a\ufffdb\ufffdc\nd"


def test_the_hash_is_of_wording_and_evidence_and_not_of_places():
    of = document("a", "xx The pump stands in the cellar.")
    moved = document("b", "The pump stands in the cellar.")
    first, second = (
        sample("Where is the pump?", "in the cellar", "The pump stands in the cellar.", d) for d in (of, moved)
    )
    other = sample("Where is the pump?", "the cellar", "The pump stands in the cellar.", of)
    assert sample_hash(first) == sample_hash(second)
    assert sample_hash(first) != sample_hash(other)
    assert first.id == other.id
