"""Rows on disk: round trips, strict reading, atomic writing."""

import json
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import InputError, RecordError
from synth.core.jsonl import (
    atomic_file,
    dumps,
    numbered_lines,
    read_samples,
    row_to_sample,
    sample_to_row,
    write_atomic,
    write_rows,
)
from synth.core.records import Evidence, Sample, Verdict, text_hash

texts = (
    st.text(min_size=1, max_size=40)
    .filter(lambda t: t.strip() and "\x00" not in t)
    .filter(lambda t: not any("\ud800" <= c <= "\udfff" for c in t))
)
evidence = st.builds(
    Evidence,
    doc_id=texts,
    doc_hash=texts.map(text_hash),
    chunk_id=texts,
    start=st.integers(0, 10**6),
    end=st.integers(0, 10**6),
    text=texts,
)
samples = st.builds(
    Sample,
    question=texts,
    golden_answers=st.lists(texts, min_size=1, max_size=3).map(tuple),
    evidence=st.lists(evidence, min_size=1, max_size=3).map(tuple),
    question_type=st.sampled_from(["simple", "reasoning"]),
    language=st.sampled_from(["en", "zh-Hans", "zh-Hant"]),
    verdicts=st.lists(
        st.builds(Verdict, filter=texts, kept=st.just(True), reason=st.just(""), score=st.none() | st.floats(0, 1)),
        max_size=3,
        unique_by=lambda v: v.filter,
    ).map(tuple),
    metadata=st.just({"source": "synthetic"}),
    provenance=st.just({"author": "grammar", "seed": 3}),
)


def sample(question="谁写了《茶经》？", answer="陆羽", text="陆羽写了《茶经》。"):
    piece = Evidence(doc_id="茶.md", doc_hash=text_hash(text), chunk_id="c-1", start=0, end=len(text), text=text)
    return Sample(
        question=question, golden_answers=(answer,), evidence=(piece,), question_type="simple", language="zh-Hans"
    )


@given(samples)
def test_a_row_read_back_is_the_sample_that_was_written(written):
    row = json.loads(dumps(sample_to_row(written)))
    assert row_to_sample(row, "x:1") == written
    assert sample_to_row(row_to_sample(row, "x:1")) == row


@given(st.lists(samples, max_size=4))
def test_a_file_read_back_has_the_samples_that_were_written(tmp_path_factory, written):
    path = tmp_path_factory.mktemp("set") / "set.jsonl"
    write_rows(path, map(sample_to_row, written))
    assert read_samples(path).samples == tuple(written)
    assert read_samples(path).damaged == ()


def test_the_id_depends_on_question_and_evidence_texts_and_not_on_places():
    here = sample()
    moved = Evidence(doc_id="b.md", doc_hash="sha256:0", chunk_id="c-9", start=7, end=16, text="陆羽写了《茶经》。")
    assert (
        Sample(
            question=here.question, golden_answers=("x",), evidence=(moved,), question_type="simple", language="en"
        ).id
        == here.id
    )
    assert sample(question="《茶经》是谁写的？").id != here.id
    assert sample(text="陆羽著《茶经》。").id != here.id


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "must be an object"),
        ("{}", "golden_answers"),
        ('{"golden_answers": ["a"], "evidence": []}', "'evidence' is empty"),
        ('{"golden_answers": [1], "evidence": []}', "golden_answers"),
        (
            '{"golden_answers": ["a"], "evidence": [{"doc_id": "a", "doc_hash": "b", "chunk_id": "c", "start": -1, "end": 2}]}',
            "evidence[0].start",
        ),
        (
            '{"golden_answers": ["a"], "evidence": [{"doc_id": "a", "doc_hash": "b", "chunk_id": "c", "start": true, "end": 2}]}',
            "evidence[0].start",
        ),
    ],
)
def test_a_damaged_line_costs_that_line_and_is_named(tmp_path, line, complaint):
    path = tmp_path / "set.jsonl"
    good = dumps(sample_to_row(sample()))
    path.write_text(f"{good}\n{line}\n\n{good}\n", encoding="utf-8")
    read = read_samples(path)
    assert len(read.samples) == 2
    assert read.lines == (1, 4)
    assert [d.line for d in read.damaged] == [2]
    assert complaint in read.damaged[0].reason
    assert "set.jsonl:2" in read.damaged[0].reason


def test_a_row_changed_by_hand_is_found_by_its_id(tmp_path):
    row = sample_to_row(sample())
    row["question"] = "谁写了别的书？"
    path = tmp_path / "set.jsonl"
    write_rows(path, [row])
    assert "changed by hand" in read_samples(path).damaged[0].reason


def test_field_and_place_are_named_when_a_row_is_not_one():
    row = sample_to_row(sample())
    del row["metadata"]["question_type"]
    with pytest.raises(RecordError, match=r"set:7: field 'metadata\.question_type' must be"):
        row_to_sample(row, "set:7")


def test_a_file_that_is_not_there_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        read_samples(tmp_path / "none.jsonl")


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "set.jsonl"
    write_atomic(path, "old\n")
    with pytest.raises(ZeroDivisionError), atomic_file(path) as file:
        file.write(f"new {1 // 0}")
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_half_a_surrogate_pair_is_written_as_json_does(tmp_path):
    path, row = tmp_path / "set.jsonl", {"a": "\ud800"}
    write_atomic(path, dumps(row))
    assert json.loads(path.read_text(encoding="utf-8")) == row
    with atomic_file(path) as file:
        file.write(dumps(row))
    assert json.loads(path.read_text(encoding="utf-8")) == row


def test_a_new_file_is_for_its_owner_alone_and_one_that_is_replaced_keeps_its_rights(tmp_path):
    path = tmp_path / "t.jsonl"
    write_atomic(path, "first")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    write_atomic(path, "second")
    assert (path.read_text(encoding="utf-8"), stat.S_IMODE(path.stat().st_mode)) == ("second", 0o640)


ROWS = [{"id": "q-1", "question": "一？"}, {"id": "q-2", "question": "Two?"}]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("".join(f"{json.dumps(row)}\n" for row in ROWS), [1, 2]),
        (json.dumps(ROWS), [1, 1]),
        (json.dumps(ROWS, indent=1), [2, 6]),
        ("\n".join(json.dumps(row, indent=1) for row in ROWS), [1, 5]),
        ("\ufeff" + "\r\n".join(json.dumps(row, indent=1) for row in ROWS), [1, 2]),
        ("[\n" + ",\n".join(map(json.dumps, ROWS)) + "\n]\n", [2, 3]),
    ],
)
def test_a_list_and_rows_over_several_lines_are_rows_too(tmp_path, text, lines):
    path = tmp_path / "set.jsonl"
    path.write_bytes(text.encode())
    found = list(numbered_lines(path))
    assert [json.loads(line) for _, line in found] == ROWS
    if "\r" not in text:
        assert [number for number, _ in found] == lines


@pytest.mark.parametrize("text", ['{"id":\n{"id": "q-1"}\n', "[1, 2]\nx\n", "{\n"])
def test_lines_that_are_no_objects_stay_lines(tmp_path, text):
    path = tmp_path / "set.jsonl"
    path.write_text(text, encoding="utf-8")
    assert [line.strip() for _, line in numbered_lines(path)] == text.strip().split("\n")
