"""Responses out of the files that tools write."""

import json

import pytest

from synth.core.errors import InputError, RecordError
from synth.core.records import Passage
from synth.evaluation.responses.passages import passages
from synth.evaluation.responses.reading import Responses, read_responses
from synth.evaluation.responses.shapes import fields_given, response_of


def one(row, id="q-1", question="What?"):
    return Responses.of([row]).get(id, question)


def test_synth_s_own_shape():
    found = one(
        {
            "id": "q-1",
            "answer": "42",
            "retrieved": ["c-1", {"chunk_id": "c-2", "doc_id": "a.md", "start": 5, "end": 9, "score": 0.5}],
            "contexts": ["<1-hop>\n\nSome text.", {"text": "More."}],
        }
    )
    assert found.answer == "42"
    assert found.retrieved == (Passage(id="c-1"), Passage(id="c-2", doc_id="a.md", start=5, end=9, score=0.5))
    assert [passage.text for passage in found.contexts] == ["Some text.", "More."]
    assert found.tool_calls is None


def test_ragas():
    row = {
        "user_input": "What?",
        "retrieved_contexts": ["one", "two"],
        "response": "It.",
        "retrieved_context_ids": ["7", 8],
    }
    found = one(row, id="never seen")
    assert found.answer == "It."
    assert [(passage.id, passage.text) for passage in found.retrieved] == [("7", "one"), ("8", "two")]
    assert [passage.text for passage in found.contexts] == ["one", "two"]


def test_ids_keep_what_they_say_of_their_place_when_texts_join_them():
    ids = [{"id": "7", "doc_id": "a.md", "start": 2, "end": 5, "score": 0.5}]
    found = one({"id": "q-1", "retrieved_ids": ids, "retrieved_contexts": ["one"]})
    assert found.retrieved == (Passage(id="7", doc_id="a.md", start=2, end=5, text="one", score=0.5),)


def test_an_empty_id_is_none():
    assert Responses.of([{"id": "", "sample_id": "q-1", "answer": "It."}]).keys == [("q-1", "")]
    assert Responses.of([{"id": "", "question": "What?", "answer": "It."}]).keys == [("", "What?")]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            {"response": ["a", "b"]},
            'field \'response\' must be a text, or a chat message or completion that contains a text; it was ["a", "b"]',
        ),
        (
            {"response": {"reply": "a"}},
            'field \'response\' must be a text, or a chat message or completion that contains a text; it was {"reply": "a"}',
        ),
        ({"retrieved_context_ids": "a"}, "field 'retrieved_context_ids' must be a list"),
    ],
)
def test_an_error_names_the_field_that_the_row_has(row, says):
    (damaged,) = Responses.of([{"id": "q-1", **row}]).damaged
    assert says in damaged.reason


@pytest.mark.parametrize(
    ("row", "given"),
    [
        ({"retrieved_contexts": ["one"]}, {"retrieved", "contexts"}),
        ({"context": ["one"]}, {"retrieved", "contexts"}),
        ({"contexts": ["one"]}, {"contexts"}),
        ({"response": "It.", "tool_calls": []}, {"answer", "tool_calls"}),
    ],
)
def test_fields_given_are_those_of_the_response(row, given):
    response = response_of(row, "q-1", "here")
    assert fields_given(row) == given
    assert {
        name for name in ("answer", "retrieved", "contexts", "tool_calls") if getattr(response, name) is not None
    } == given


def test_llamaindex():
    node = {"id_": "n-1", "text": "body", "start_char_idx": 4, "end_char_idx": 8, "metadata": {"file_path": "a.md"}}
    found = one({"query": "What?", "response": {"response": "It."}, "source_nodes": [{"node": node, "score": 0.9}]})
    assert found.answer == "It."
    assert found.retrieved == (Passage(id="n-1", doc_id="a.md", start=4, end=8, text="body", score=0.9),)


def test_langchain():
    document = {"page_content": "body", "metadata": {"source": "a.md", "start_index": 4}}
    placed = Passage(doc_id="a.md", start=4, end=8, text="body")
    assert one({"query": "What?", "result": "It.", "source_documents": [document]}).retrieved == (placed,)
    found = one({"input": "What?", "answer": "It.", "context": [document]})
    assert found.contexts == found.retrieved == (placed,)
    assert one({"query": "What?", "source_documents": [[document, 0.25]]}).retrieved[0].score == 0.25


def test_openai_tool_calls():
    call = {"id": "1", "type": "function", "function": {"name": "find", "arguments": '{"n": 1}'}}
    (found,) = one({"id": "q-1", "tool_calls": [call]}).tool_calls
    assert (found.name, found.arguments) == ("find", {"n": 1})


@pytest.mark.parametrize(
    "text",
    [
        "q-1 Q0 a 1 0.5 run\nq-1 Q0 b 2 0.9 run\nq-1 Q0 c 3 0.5 run\n",
        '{"q-1": {"a": 0.5, "b": 0.9, "c": 0.5}}',
    ],
)
def test_runs_are_ranked_by_score_then_by_id_both_falling(tmp_path, text):
    path = tmp_path / "run.txt"
    path.write_text(text, encoding="utf-8")
    found = read_responses(path).get("q-1", "")
    assert [passage.id for passage in found.retrieved] == ["b", "c", "a"]


ROWS = [{"id": "q-1", "answer": "一"}, {"id": "q-2", "answer": "二"}]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps(row) for row in ROWS),
        "\ufeff" + "\r\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS) + "\r\n\r\n",
        json.dumps(ROWS, indent=1),
        json.dumps({"id": ["q-1", "q-2"], "answer": ["一", "二"]}),
        json.dumps({"results": ROWS}, indent=2),
    ],
)
def test_jsonl_lists_and_columns(tmp_path, text):
    path = tmp_path / "responses.json"
    path.write_text(text, encoding="utf-8")
    found = read_responses(path)
    assert len(found) == 2
    assert found.get("q-2", "").answer == "二"
    assert found.get("q-3", "") is None
    assert found.given == {"answer"}


def test_a_damaged_line_costs_that_line_and_a_second_response_is_named(tmp_path):
    path = tmp_path / "r.jsonl"
    lines = [
        '{"id": "q-1", "answer": "a"}',
        "{not json",
        '{"answer": "b"}',
        '{"id": "q-2", "retrieved": [{}]}',
        '{"id": "q-1"}',
        "[]",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = read_responses(path)
    assert [damaged.line for damaged in found.damaged] == [2, 3, 4, 6]
    assert all(damaged.reason.startswith(f"r.jsonl:{damaged.line}: ") for damaged in found.damaged)
    assert found.repeated == ["r.jsonl:5: another response to 'q-1'; only the first counts"]
    assert found.get("q-1", "").answer == "a"


def test_what_is_no_file_of_responses(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        read_responses(tmp_path / "missing.jsonl")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="is empty"):
        read_responses(empty)
    empty.write_text("some words\n", encoding="utf-8")
    with pytest.raises(InputError, match="neither JSON nor a line of a TREC run"):
        read_responses(empty)
    empty.write_text('{"id": ["q-1"], "answer": []}', encoding="utf-8")
    with pytest.raises(InputError, match="must have the same length"):
        read_responses(empty)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("c-1", "must be a list"),
        ([{}], "needs an id"),
        ([None], "must be an id"),
    ],
)
def test_errors_name_place_and_field(value, says):
    with pytest.raises(RecordError, match=says) as error:
        passages(value, "retrieved", "r.jsonl:3", texts=False)
    assert str(error.value).startswith("r.jsonl:3: field 'retrieved")


@pytest.mark.parametrize("content", [b"PK\x03\x04\x14\x00\x06\x00 a b c d e f", b"PAR1\x15\x04\x00\x15 a b c d e f"])
def test_a_workbook_or_parquet_is_refused_with_the_way_out(tmp_path, content):
    path = tmp_path / "answers.bin"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a UTF-8 text; save the responses as JSONL"):
        read_responses(path)
