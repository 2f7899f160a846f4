"""The dataset: a protected core, outputs by stage, and sets taken apart and put together."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import ConfigError, InputError, RecordError
from synth.testset.dataset import Dataset, Rows, stream
from tests.metrics.cases import item, piece


def made(n, documents=5):
    return Dataset(
        item(f"answer {i}", [piece(f"text {i}", doc_id=f"{i % documents}.md")], id=f"q-{i}") for i in range(n)
    )


def test_the_core_is_protected_and_outputs_are_kept_by_stage():
    one = item("Paris", [piece("Paris.")], question_type="simple")
    one.add("retrieval", retrieved=["c-1"])
    one.add("generation", answer="Paris")
    one.add("rewriting", answer="In Paris")
    assert one.output("answer") == "In Paris"
    assert one.outputs["generation"]["answer"] == "Paris"
    assert one.response_row() == {"id": "q-1", "retrieved": ["c-1"], "answer": "In Paris"}
    with pytest.raises(ConfigError, match="'golden_answers' of item q-1 is a field of the row and cannot be replaced"):
        one.add("generation", golden_answers=["London"])
    with pytest.raises(ConfigError, match="has already added 'answer'"):
        one.add("generation", answer="London")
    for name in ("question", "golden_answers", "metadata"):
        with pytest.raises(AttributeError):
            setattr(one, name, "x")
    for held in (one.metadata, one.outputs, one.outputs["generation"], one.relevance):
        with pytest.raises(TypeError):
            held["x"] = 1


def test_saved_and_loaded_it_is_the_same(tmp_path):
    path = tmp_path / "set.jsonl"
    first = made(7)
    first.add("generation", {"q-3": {"answer": "臺灣"}})
    first.save(path)
    again = Dataset.load(path)
    assert [one.row() for one in again] == [one.row() for one in first]
    assert again["q-3"].output("answer") == "臺灣"
    assert again.digest == first.digest == made(7).digest
    assert again[2].id == again[2:4][0].id == "q-2"
    assert "q-9" not in again


def test_plain_rows_are_read_and_say_what_is_relevant(tmp_path):
    path = tmp_path / "set.jsonl"
    rows = [
        {"id": "1", "question": "a?", "golden_answers": ["x"], "doc_id": "a.md"},
        {"id": "2", "question": "b?", "golden_answers": ["x"], "relevance": {"a": 2, "b": 0}},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [dict(one.relevance) for one in stream(path)] == [{"a.md": 1}, {"a": 2, "b": 0}]


def test_a_line_that_is_no_row_is_named(tmp_path):
    path = tmp_path / "set.jsonl"
    good = json.dumps({"id": "1", "question": "a?", "golden_answers": ["x"]})
    path.write_text(
        f'{good}\nnot json\n{{"id": "2"}}\n{good}\n{{"id": "3", "question": "a?", "golden_answers": [], "relevance": 5}}',
        encoding="utf-8",
    )
    rows = Rows(path)
    for _ in range(2):
        assert [one.id for one in rows] == ["1"]
        assert [damaged.line for damaged in rows.damaged] == [2, 3, 4, 5]
    assert "set.jsonl:3: field 'question'" in rows.damaged[1].reason
    with pytest.raises(RecordError, match=r"set\.jsonl:2: not JSON"):
        Dataset.load(path)
    with pytest.raises(InputError, match="cannot read"):
        Dataset.load(tmp_path / "missing.jsonl")


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 3))
def test_a_larger_sample_only_adds(n, more, seed):
    whole = made(25)
    small, large = ([one.id for one in whole.sample(size, seed)] for size in (n, n + more))
    assert set(small) <= set(large)
    assert len(small) == min(n, 25)
    assert small == [one.id for one in whole if one.id in small]


def test_a_split_keeps_documents_together_and_loses_nothing():
    whole = made(100, documents=20)
    parts = whole.split({"dev": 0.3, "test": 0.7}, seed=1)
    assert sorted(one.id for part in parts.values() for one in part) == sorted(one.id for one in whole)
    assert not {d for one in parts["dev"] for d in one.documents} & {d for one in parts["test"] for d in one.documents}
    assert len(parts["dev"]) == 30
    bridge = Dataset([*whole, item("x", [piece("a", doc_id="0.md"), piece("b", doc_id="1.md")], id="both")])
    (home,) = [part for part in bridge.split({"dev": 0.5, "test": 0.5}).values() if "both" in part]
    assert {f"q-{i}" for i in (0, 1, 20, 21)} <= {one.id for one in home}
    with pytest.raises(ConfigError, match="the shares of a split must not be negative"):
        whole.split({"dev": 0.0})


def test_merging_joins_outputs_and_refuses_two_rows_of_one_id():
    first, second = made(3), made(5)
    first.add("retrieval", {"q-1": {"retrieved": ["a"]}})
    second.add("generation", {"q-1": {"answer": "x"}, "q-4": {"answer": "y"}})
    both = first.merge(second)
    assert [one.id for one in both] == [f"q-{i}" for i in range(5)]
    assert both["q-1"].response_row() == {"id": "q-1", "retrieved": ["a"], "answer": "x"}
    assert first["q-1"].output("answer") is None
    with pytest.raises(InputError, match="two different rows"):
        first.merge(Dataset([item("another", id="q-1")]))
    with pytest.raises(InputError, match="the id 'q-1'"):
        Dataset([item("a"), item("b")])


def test_batches_where_and_unknown_ids():
    whole = made(7)
    assert [len(batch) for batch in whole.batches(3)] == [3, 3, 1]
    assert [one.id for one in whole.where(lambda one: one.documents == ("2.md",))] == ["q-2"]
    with pytest.raises(ConfigError, match="'zz', but the set has no item"):
        whole.add("generation", {"zz": {"answer": "x"}})
