"""The command `view`: what it serves, and what it refuses before it serves anything."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from synth.cli.main import main
from synth.core.jsonl import sample_to_row, write_rows
from tests.annotation.rows import Client, corpus_and_rows

ROOT = Path(__file__).parents[2]
DOCUMENTS, ROWS = corpus_and_rows(4)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two versions of a set, its documents, and a stored run on it."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "set.jsonl", map(sample_to_row, ROWS))
    write_rows(tmp_path / "old.jsonl", map(sample_to_row, [replace(ROWS[0], golden_answers=("never",)), *ROWS[1:3]]))
    for document in DOCUMENTS.values():
        path = tmp_path / "docs" / document.doc_id
        path.parent.mkdir(exist_ok=True)
        path.write_text(document.text, encoding="utf-8")
    write_rows(tmp_path / "answers.jsonl", [{"id": row.id, "answer": row.golden_answers[0]} for row in ROWS])
    evaluate = "evaluate set.jsonl answers.jsonl --metrics exact_match -o run.json --quiet"
    assert main(evaluate.split()) == 0
    return tmp_path


def test_it_serves_a_set_with_its_documents_another_set_and_a_run(folder):
    command = "view set.jsonl old.jsonl --corpus docs --results run.json --port 0 --json --workspace ws".split()
    server = subprocess.Popen(
        [sys.executable, "-m", "synth", *command],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    try:
        told = ""
        while not told.rstrip().endswith("}"):
            line = server.stdout.readline()
            assert line, "the server ended before it said where it is"
            told += line
        client = Client(json.loads(told)["url"], who="")
        status, contents = client.post("/contents")
        assert (status, contents["ids"]) == (200, [row.id for row in ROWS])
        change = contents["facets"]["change"]
        assert [change["values"][value] for (value,) in change["of"]] == ["changed", "same", "same", "here"]
        assert contents["runs"]["scores"] == {"exact_match": [[1.0] * 4]}
        assert (
            contents["command"] == "synth annotate accept set.jsonl --corpus docs -o accepted.jsonl --with-unreviewed"
        )
        row = client.post("/row", {"id": ROWS[0].id})[1]["row"]
        assert row["passages"][0]["fault"] == ""
        assert row["change"]["differences"] == [{"field": "golden_answers", "here": "1700", "there": "never"}]
        assert client.post("/row", {"id": "q-none"})[0] == 404
        assert client.post("/decide", {"id": ROWS[0].id, "decision": "accept"})[0] == 400, "nobody is named"
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("view set.jsonl --results set.jsonl", "is not a run; evaluate"),
        (
            "view set.jsonl --results run.json run.json run.json",
            "--results names 3 runs, but the page compares at most 2",
        ),
        ("view other.jsonl --results run.json", "contains none of the rows of other.jsonl; name a run on this set"),
        ("view set.jsonl none.jsonl", "none.jsonl"),
        ("view set.jsonl --host 203.0.113.1", "set other values with --host and --port"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(folder, capsys, command, says):
    write_rows(folder / "other.jsonl", map(sample_to_row, corpus_and_rows(8)[1][6:]))
    assert main(command.split()) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
