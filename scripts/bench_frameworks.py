"""Perfect systems of several frameworks through `evaluate`: every one of them must score 1.000.

The retriever and answer objects are made by the libraries themselves, so this runs where they are installed:

    pip install langchain-core llama-index-core haystack-ai openai anthropic dspy
    python scripts/bench_frameworks.py

A library that is missing is named and left out. Each system is measured twice: by its Python objects, and by the file
of JSON lines that its own dump of these objects gives.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from synth.core.records import Evidence
from synth.core.table import table
from synth.evaluation.responses.objects import as_data
from synth.evaluation.responses.reading import Responses
from synth.testset.dataset import Dataset, Item
from synth.workflows.evaluating import EvaluationSettings, evaluate

METRICS = ("evidence_recall@1", "recall@1", "context_recall_evidence", "correctness", "exact_match")
TOWERS = {"Corvin": 38, "Dorne": 49, "Ellis": 27, "Farrow": 61}
FOLDER = "/home/someone/project/docs/"


def testset() -> Dataset:
    """Rows on towers, each with one sentence of evidence."""
    return Dataset(
        Item(
            id=f"q-{number}",
            question=f"How tall is the {name} tower?",
            golden_answers=[f"{height} metres"],
            evidence=[evidence(f"The {name} tower is {height} metres tall.", number)],
            metadata={"question_type": "simple", "language": "en"},
        )
        for number, (name, height) in enumerate(TOWERS.items())
    )


def evidence(text: str, number: int) -> Evidence:
    start = 40 + number
    return Evidence(
        doc_id=f"towers/{number}.md",
        doc_hash="sha256:0",
        chunk_id=f"c-{number}",
        start=start,
        end=start + len(text),
        text=text,
    )


def plain(item: Item, piece: Evidence) -> dict[str, Any]:
    return {"answer": item.golden_answers[0], "retrieved": [piece.text], "contexts": [piece.text]}


def langchain(item: Item, piece: Evidence) -> dict[str, Any]:
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage

    document = Document(page_content=piece.text, metadata={"source": FOLDER + piece.doc_id, "start_index": piece.start})
    return {"answer": AIMessage(content=item.golden_answers[0]), "context": [document]}


def llamaindex(item: Item, piece: Evidence) -> dict[str, Any]:
    from llama_index.core.base.response.schema import Response
    from llama_index.core.schema import NodeWithScore, TextNode

    node = TextNode(
        text=piece.text,
        metadata={"file_path": FOLDER + piece.doc_id},
        start_char_idx=piece.start + 7,
        end_char_idx=piece.end + 7,
    )
    response = Response(response=item.golden_answers[0], source_nodes=[NodeWithScore(node=node, score=0.9)])
    return {"response": response}


def haystack(item: Item, piece: Evidence) -> dict[str, Any]:
    from haystack import Document
    from haystack.dataclasses import ChatMessage, GeneratedAnswer

    document = Document(content=piece.text, meta={"file_path": piece.doc_id, "split_idx_start": 0}, score=0.5)
    answer = GeneratedAnswer(data=item.golden_answers[0], query=item.question, documents=[document])
    reply = ChatMessage.from_assistant(item.golden_answers[0])
    return {"llm": {"replies": [reply]}, "answer_builder": {"answers": [answer]}}


def openai_chat(item: Item, piece: Evidence) -> dict[str, Any]:
    from openai.types.chat import ChatCompletion

    message = {"role": "assistant", "content": item.golden_answers[0]}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    completion = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    return {"answer": ChatCompletion.model_validate(completion), "retrieved": [piece.text], "contexts": [piece.text]}


def openai_responses(item: Item, piece: Evidence) -> dict[str, Any]:
    from openai.types.responses import Response

    found = {"file_id": "f", "filename": piece.doc_id.rpartition("/")[2], "score": 0.9, "text": piece.text}
    search = {"id": "s", "type": "file_search_call", "status": "completed", "queries": [], "results": [found]}
    content = [{"type": "output_text", "text": item.golden_answers[0], "annotations": []}]
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": content}
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "tools": [], "tool_choice": "auto"}
    return {"response": Response.model_validate({**head, "parallel_tool_calls": True, "output": [search, message]})}


def anthropic(item: Item, piece: Evidence) -> dict[str, Any]:
    from anthropic.types import Message

    content = [{"type": "text", "text": item.golden_answers[0]}]
    usage = {"input_tokens": 1, "output_tokens": 1}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "usage": usage}
    return {
        "answer": Message.model_validate({**head, "content": content}),
        "contexts": [piece.text],
        "retrieved": [piece.text],
    }


def dspy(item: Item, piece: Evidence) -> dict[str, Any]:
    from dspy import Prediction

    return {"output": Prediction(reasoning="As read.", answer=item.golden_answers[0], context=[piece.text])}


SYSTEMS: tuple[Callable[[Item, Evidence], dict[str, Any]], ...] = (
    plain, langchain, llamaindex, haystack, openai_chat, openai_responses, anthropic, dspy,
)  # fmt: skip


def measured(system: Callable[[Item, Evidence], dict[str, Any]], rows: Dataset) -> Iterator[list[object]]:
    """A line of the table for the objects of a system, and one for the file of its dumps."""
    answers = [{"question": item.question, **system(item, item.evidence[0])} for item in rows]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "responses.jsonl"
        path.write_text("".join(json.dumps(as_data(row)) + "\n" for row in answers), encoding="utf-8")
        for how, responses in (("objects", Responses.of(answers)), ("file", path)):
            result = evaluate(rows, responses, EvaluationSettings(metrics=METRICS))
            means = (result.evaluation.metrics[name].estimate.mean for name in METRICS)
            yield [system.__name__, how, *("-" if mean is None else f"{mean:.3f}" for mean in means)]


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    rows, missing = testset(), []
    lines: list[list[object]] = []
    for system in SYSTEMS:
        try:
            lines += measured(system, rows)
        except ImportError as error:
            missing.append(f"{system.__name__}: {error}")
    print(table(["framework", "given as", *METRICS], lines))
    print(*missing, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
