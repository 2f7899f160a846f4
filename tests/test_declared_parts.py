"""Values that others wrote, read by declared types; and the metadata of rows, read so."""

import json
from typing import Any, TypedDict

import pytest

from synth.core.declared_parts import ABSENT, Malformed, reader, warn_of
from synth.core.errors import RecordError
from synth.core.jsonl import read_samples, row_to_sample
from synth.testset.dataset import Item, Rows
from synth.testset.refused import read_refused


class Both(TypedDict):
    a: int
    b: list[str]


class Some(TypedDict, total=False):
    a: int


@pytest.mark.parametrize(
    ("kind", "value", "kept", "faults"),
    [
        (int, 3, 3, []),
        (int, 2**60, ABSENT, ["x"]),
        (int, -1, ABSENT, ["x"]),
        (int, True, ABSENT, ["x"]),
        (int, 1.0, ABSENT, ["x"]),
        (float, 1, 1, []),
        (float, -0.5, -0.5, []),
        (float, float("inf"), ABSENT, ["x"]),
        (float, 10**400, ABSENT, ["x"]),
        (str, 1, ABSENT, ["x"]),
        (bool, 1, ABSENT, ["x"]),
        (Any, [{}], [{}], []),
        (float | None, None, None, []),
        (float | None, "a", ABSENT, ["x"]),
        (list[int], [1, "2", 3], [1, 3], ["x[1]"]),
        (list[int], {"0": 1}, ABSENT, ["x"]),
        (dict[str, int], {"a": 1, "b": []}, {"a": 1}, ["x.b"]),
        (dict[str, list[int]], {"a": [1, None]}, {"a": [1]}, ["x.a[1]"]),
        (Both, {"a": 1, "b": ["c"], "d": 5}, {"a": 1, "b": ["c"], "d": 5}, []),
        (Both, {"a": 1}, ABSENT, ["x"]),
        (Both, {"a": "1", "b": []}, ABSENT, ["x.a", "x"]),
        (Some, {"a": "1"}, {}, ["x.a"]),
        (list[Both] | str, [{"a": 1}], [], ["x[0]"]),
    ],
)
def test_parts_that_do_not_fit_are_left_out_and_named(kind, value, kept, faults):
    found: list[str] = []
    assert reader(kind)(value, "x", found) == kept
    assert found == faults


def test_many_faults_are_one_line():
    with pytest.warns(Malformed, match=r"^set.jsonl: ignored as invalid: 0, 1, 2, 3, 4 and 2 more$"):
        warn_of("set.jsonl", [str(number) for number in range(7)])


PIECE = {"doc_id": "a.md", "doc_hash": "h", "chunk_id": "c", "start": 0, "end": 3, "text": "Oak"}
ROW = {"question": "What?", "golden_answers": ["Oak"], "evidence": [PIECE]}
GOOD = {"question_type": "simple", "language": "en"}


@pytest.mark.parametrize(
    "part",
    [
        {"alternatives": "x"},
        {"alternatives": [{**PIECE, "replaces": 1}]},
        {"alternatives": [{**PIECE, "replaces": 0, "start": "0"}]},
        {"alternatives": [PIECE]},
        {"hard_negatives": [{"doc_id": "a.md"}]},
        {"tags": ["a", 5]},
        {"difficulty_signals": {"overlap": {"words": 1}}},
        {"ratings": {"natural": "5"}},
        {"nearest": [["c"]]},
        {"sub_questions": [5]},
        {"annotation": 5},
        {"refused": {"copied": 1}},
        {"verdicts": [1]},
        {"evolutions": 7},
        {"lineage": ["deepen"]},
        {"provenance": "model"},
        {"style": 5},
    ],
)
def test_metadata_of_a_wrong_type_is_absent_and_named_once(tmp_path, part):
    path, name = tmp_path / "set.jsonl", next(iter(part))
    sample = row_to_sample({**ROW, "metadata": GOOD}, "row")
    lines = [{**ROW, "id": sample.id, "metadata": {**GOOD, **part, "own": [None]}}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines * 3), encoding="utf-8")
    with pytest.warns(Malformed) as told:
        read = read_samples(path)
    assert [str(one.message) for one in told if name in str(one.message)] == [str(told[0].message)]
    assert len(read.samples) == 3
    assert read.samples[0].metadata["own"] == [None]
    assert not read.samples[0].metadata.get(name) or name == "tags"
    assert (read.samples[0].evolutions, read.samples[0].lineage, read.samples[0].verdicts) == ((), (), ())


def test_rows_of_others_keep_metadata_of_their_own_kind(tmp_path):
    path = tmp_path / "own.jsonl"
    row = {
        "id": "1",
        "question": "Q?",
        "golden_answers": [],
        "metadata": {"tags": "mine", "category": 5, "language": ["en"]},
    }
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.warns(Malformed, match="metadata.language in line 1"):
        (item,) = Rows(path)
    assert dict(item.metadata) == {"tags": "mine", "category": 5}


@pytest.mark.parametrize("named", [5, [5], [["a"]], {"a": 1}])
def test_the_documents_of_a_row_are_texts(named):
    with pytest.raises(RecordError, match="doc_id"):
        Item.from_row({"id": "1", "question": "Q?", "golden_answers": [], "doc_ids": named}, "set.jsonl:1")


def test_nan_is_no_json(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "1", "metadata": {"x": NaN}}\n', encoding="utf-8")
    assert "NaN" in read_samples(path).damaged[0].reason


def test_refused_candidates_are_read_alike(tmp_path):
    path = tmp_path / "rejected.jsonl"
    rows = [
        {**ROW, "metadata": {**GOOD, "tags": 1}, "rejected": {"stage": ["judged"], "score": "x", "reason": "r"}},
        {"rejected": {"stage": "proposed", "scenario": 5}},
        {"rejected": 5},
        ROW,
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.warns(Malformed, match="rejected.stage in line 1, rejected.score in line 1, metadata.tags in line 1"):
        candidates, errors = read_refused(path)
    assert [candidate.rejection for candidate in candidates] == [{"reason": "r"}, {"stage": "proposed"}]
    assert candidates[0].sample.question == "What?"
    assert candidates[1].sample is None
    assert len(errors) == 2
