"""Answers and passages in the shapes that chat models, frameworks and vector stores return."""

from collections import namedtuple
from dataclasses import dataclass

import pytest

from synth.evaluation.responses.answers import text_of
from synth.evaluation.responses.objects import as_data
from synth.evaluation.responses.reading import Responses

PARTS = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "48 "}, {"type": "text", "text": "metres"}]
DOCUMENT = {"page_content": "body", "metadata": {"source": "a.md"}}


@pytest.mark.parametrize(
    "answer",
    [
        "48 metres",
        ["48 metres"],
        {"content": "48 metres", "type": "ai", "tool_calls": []},
        {"text": "48 metres"},
        {"content": PARTS, "role": "assistant", "type": "message"},
        {"choices": [{"message": {"role": "assistant", "content": "48 metres", "refusal": None}}, {"message": {}}]},
        {"choices": [{"text": "48 metres"}]},
        {"output": [{"type": "reasoning"}, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "48 metres"}]}]},
        {"output_text": "48 metres", "output": []},
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "48 metres"}]}}]},
        {"message": {"role": "assistant", "content": "48 metres"}, "done": True},
        {"message": {"role": "assistant", "blocks": [{"block_type": "text", "text": "48 metres"}]}},
        {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": "48 metres", "type": "ai"}},
        [{"type": "human", "data": {"content": "How tall?"}}, {"type": "ai", "data": {"content": "48 metres"}}],
        {"messages": [{"role": "user", "content": "How tall?"}, {"role": "assistant", "content": "48 metres"}]},
        {"replies": ["48 metres"]},
        {"replies": [{"role": "assistant", "meta": {}, "content": [{"text": "48 metres"}]}]},
        {"answers": [{"data": "48 metres", "query": "How tall?", "documents": []}]},
        {"reasoning": "As read.", "answer": "48 metres"},
        {"response": "48 metres", "source_nodes": []},
        [{"generated_text": "48 metres"}],
        {"status_code": 200, "body": {"choices": [{"message": {"content": "48 metres"}}]}},
        {"type": "succeeded", "message": {"role": "assistant", "content": PARTS}},
    ],
)  # fmt: skip
def test_the_text_of_an_answer(answer):
    assert text_of(answer) == "48 metres"
    found = Responses.of([{"id": "q-1", "answer": answer}])
    assert (found.damaged, found.get("q-1", "").answer) == ([], "48 metres")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (48, "48"),
        (True, "true"),
        ({"role": "assistant", "content": None, "tool_calls": [{}]}, ""),
        ([], ""),
        ({"content": []}, ""),
    ],
)
def test_values_that_are_no_texts(answer, text):
    assert text_of(answer) == text


@pytest.mark.parametrize(
    "answer",
    [["48", "49"], {"reply": "48"}, {}, [{"role": "user", "content": "How tall?"}], {"choices": [{"delta": 1j}]}],
)
def test_a_shape_that_is_not_known_has_no_text(answer):
    assert text_of(answer) is None


@pytest.mark.parametrize(
    ("row", "answer", "passage"),
    [
        ({"llm": {"replies": ["It."]}, "retriever": {"documents": [{"id": "7", "content": "body", "meta": {"file_path": "a.md"}}]}}, "It.", ("a.md", "body")),
        ({"answer_builder": {"answers": [{"data": "It.", "query": "What?", "documents": [{"content": "body", "meta": {"file_path": "a.md"}}]}]}}, "It.", ("a.md", "body")),
        ({"outputs": {"answer": "It.", "context": [DOCUMENT]}, "inputs": {"query": "What?"}}, "It.", ("a.md", "body")),
        ({"response": {"response": "It.", "source_nodes": [{"node": {"text": "body", "metadata": {"file_name": "a.md"}}, "score": 0.5}]}}, "It.", ("a.md", "body")),
        ({"response": {"output": [{"type": "file_search_call", "results": [{"file_id": "f", "filename": "a.md", "text": "body"}]}, {"role": "assistant", "content": "It."}]}}, "It.", ("a.md", "body")),
        ({"answer": "It.", "matches": [{"id": "7", "score": 0.5, "metadata": {"source": "a.md", "text": "body"}}]}, "It.", ("a.md", "body")),
        ({"answer": "It.", "hits": {"hits": [{"_id": "7", "_score": 1.5, "_source": {"text": "body", "metadata": {"source": "a.md"}}}]}}, "It.", ("a.md", "body")),
        ({"answer": "It.", "retrieved": {"ids": [["7"]], "documents": [["body"]], "metadatas": [[{"source": "a.md"}]]}}, "It.", ("a.md", "body")),
        ({"answer": "It.", "retrieved": {"data": [{"file_id": "f", "filename": "a.md", "content": [{"type": "text", "text": "body"}]}]}}, "It.", ("a.md", "body")),
        ({"answer": "It.", "retrieved": [{"id": 7, "payload": {"page_content": "body", "metadata": {"source": "a.md"}}}]}, "It.", ("a.md", "body")),
        ({"answer": "It.", "passages": ["body"]}, "It.", ("", "body")),
        ({"answer": "It.", "retrieved": [[DOCUMENT, 0.5]]}, "It.", ("a.md", "body")),
        ({"answer": "It.", "retrieved": [{"document": DOCUMENT, "score": "0.5"}]}, "It.", ("a.md", "body")),
    ],
)  # fmt: skip
def test_whole_results_of_a_system(row, answer, passage):
    found = Responses.of([{"id": "q-1", **row}])
    assert found.damaged == []
    response = found.get("q-1", "")
    assert response.answer == answer
    assert [(one.doc_id, one.text) for one in response.retrieved] == [passage]


@pytest.mark.parametrize(
    ("value", "is_text"),
    [
        ("c-639c87d14ee2770b", False),
        ("guide/install.md", False),
        ("Annual report of last year.pdf", False),
        ("https://example.org/a_page", False),
        ("Moby Dick", False),
        ("The tower is 48 metres tall.", True),
        ("It is 48 m tall and built in 1843", True),
        ("灯塔高四十八米，建于一八四三年。", True),
    ],
)
def test_a_plain_string_is_a_text_where_it_reads_like_one(value, is_text):
    (found,) = Responses.of([{"id": "q-1", "retrieved": [value]}]).get("q-1", "").retrieved
    assert (found.text, found.id) == ((value, "") if is_text else ("", value))


class Dumped:
    """An object as pydantic, Haystack and DSPy have them."""

    def __init__(self, method, value):
        setattr(self, method, lambda: value)


@dataclass
class Held:
    response: str
    source_nodes: list


def test_objects_of_other_libraries_are_read_as_their_data():
    pair = namedtuple("Pair", "content score")
    for value, wanted in [
        (Dumped("model_dump", {"content": "It."}), {"content": "It."}),
        (Dumped("to_dict", {"content": "It."}), {"content": "It."}),
        (Dumped("toDict", {"answer": "It."}), {"answer": "It."}),
        (
            Held("It.", [Dumped("model_dump", {"text": "body"})]),
            {"response": "It.", "source_nodes": [{"text": "body"}]},
        ),
        (pair("body", 0.5), {"content": "body", "score": 0.5}),
        ((Dumped("model_dump", {"text": "body"}), 0.5), [{"text": "body"}, 0.5]),
    ]:
        assert as_data(value) == wanted
    node = Dumped("model_dump", {"node": {"text": "body", "metadata": {"file_path": "a.md"}}, "score": 0.5})
    found = Responses.of([{"id": "q-1", "answer": Held("It.", [node])}]).get("q-1", "")
    assert (found.answer, found.retrieved[0].doc_id, found.retrieved[0].score) == ("It.", "a.md", 0.5)


def test_a_response_with_an_id_of_its_own_is_known_by_its_question():
    row = {"id": "chatcmpl-1", "question": "What?", "choices": [{"message": {"content": "It."}}]}
    assert Responses.of([row]).get("q-1", "What?").answer == "It."
    batch = {
        "id": "batch_req_1",
        "custom_id": "q-1",
        "response": {"body": {"choices": [{"message": {"content": "It."}}]}},
    }
    assert Responses.of([batch]).get("q-1", "").answer == "It."
