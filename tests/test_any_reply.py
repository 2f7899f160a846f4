"""Every command that asks a model, with replies that are valid by their schema and by nothing else.

What a reply says is drawn: numbers of sentences that there are none of, answers of 20,000 characters, numerals that are no
numbers. A part that cannot use a reply refuses it: none fails, and no command ends but by its exit codes.
"""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.cli.main import main
from synth.core.jsonl import write_rows
from synth.core.plugins import discover
from synth.evaluation.judging.judged_metric import JudgedMetric
from tests.chat import behave, stations
from tests.generators import TEXTS, examples, nothing_contained, valid_reply
from tests.llm.server import ChatServer

DONE = (0, 4, 5, 8, 9, 10, 11)
TYPES = "simple=1,reasoning=1,multi_context=1,conditional=1,unanswerable=1"
CRITERIA = """
[aspects.named]
criterion = "The answer names the station."
[rubrics.clear]
levels = ["unreadable", "hard", "with effort", "clear", "clear at once"]
"""
JUDGED = sorted({*discover("synth.evaluation.metrics", JudgedMetric)} - {"aspect", "rubric"})


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Documents, a set of them, responses and labels; and a chat model that replies as `behave` of the server says."""
    place = tmp_path_factory.mktemp("any")
    stations(place / "docs")
    server = ChatServer(behave)
    llm = ("--llm", "m", "--base-url", server.url, "--trust", "--quiet")
    at = ("--workspace", str(place / "ws"))
    assert main(["generate", str(place / "docs"), "-n", "3", "-o", str(place / "set.jsonl"), *llm, *at]) == 0
    rows = [json.loads(line) for line in (place / "set.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = [
        {"id": row["id"], "answer": "It opened in 1900, I think.", "contexts": ["The Oak station opened in 1909.", "²"]}
        for row in rows
    ]
    write_rows(place / "answers.jsonl", answers)
    labels = [{"question": row["question"], "contexts": ["In 1900."], "answer": "1900", "label": 1} for row in rows]
    write_rows(place / "labels.jsonl", labels)
    (place / "own.toml").write_text(CRITERIA, encoding="utf-8")
    yield place, server, llm
    server.close()


RUNS = (
    ("generate", "docs", "-n", "4", "-o", "new.jsonl", "--types", TYPES, "--max-calls", "40"),
    ("generate", "docs", "-n", "2", "-o", "new.jsonl", "--by-model", "entities,summaries", "--max-calls", "40"),
    ("brief", "docs"),
    ("update", "set.jsonl", "--corpus", "less", "-o", "up.jsonl", "--max-calls", "40"),
    ("evaluate", "set.jsonl", "answers.jsonl", "--metrics", ",".join(JUDGED), "--criteria", "own.toml"),
    ("judge-check", "labels.jsonl", "--metric", "faithfulness"),
    ("run", "set.jsonl", "--corpus", "docs", "-o", "responses.jsonl"),
)


@pytest.mark.parametrize("command", RUNS, ids=lambda command: " ".join(command[:1]))
@given(seed=st.integers(0, 2**32))
@examples(2)
def test_a_command_takes_any_valid_reply(tmp_path_factory, made, command, seed):
    place, server, llm = made

    def reply(body, number):
        draw = random.Random(f"{seed} {number}")
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        words = [*TEXTS, *body["messages"][-1]["content"].split()[:200]]
        return draw.choice(words) or "?" if schema is None else json.dumps(valid_reply(schema, draw, words))

    server.behave, asked = reply, len(server.bodies)
    here = tmp_path_factory.mktemp("run")
    options = [option for option in llm if option != "--trust" or command[0] in ("generate", "update")]
    names = {name: str(place / name) for name in ("docs", "set.jsonl", "answers.jsonl", "labels.jsonl", "own.toml")}
    (here / "less").mkdir()
    for path in sorted((place / "docs").iterdir())[1:]:
        (here / "less" / path.name).write_bytes(path.read_bytes())
    outputs = {name: str(here / name) for name in ("new.jsonl", "again.jsonl", "up.jsonl", "responses.jsonl", "less")}
    arguments = [{**names, **outputs}.get(word, word) for word in command]
    with nothing_contained():
        assert main([*arguments, *options, "--workspace", str(here / "ws")]) in DONE
    assert len(server.bodies) > asked
