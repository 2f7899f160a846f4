"""The command evaluate: tables, files, exit codes, and errors that name file, line and row."""

import json

import pytest

from synth.cli.main import main
from tests.test_evaluation import made_set


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made_set(30).save("set.jsonl")
    rows = [
        {"id": f"q-{i}", "answer": f"answer {i if i % 5 else 0}", "retrieved": ["c-0", f"c-{i}"]} for i in range(30)
    ]
    (tmp_path / "good.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    worse = [{**row, "retrieved": ["c-77"] if i % 2 else row["retrieved"]} for i, row in enumerate(rows[:-1])]
    (tmp_path / "worse.jsonl").write_text("\n".join([*map(json.dumps, worse), "{"]), encoding="utf-8")
    return tmp_path


def run(capsys, *arguments):
    code = main(["evaluate", *arguments, "--quiet"])
    out, err = capsys.readouterr()
    return code, out, err


def test_tables_for_people(files, capsys):
    code, out, err = run(
        capsys, "set.jsonl", "worse.jsonl", "--k", "1,2", "--by", "question_type", "--compare", "good.jsonl"
    )
    assert code == 0
    assert "synth: worse.jsonl:30: not JSON" in err
    assert "1 of 30 rows have no response and count as empty: q-29" in err
    lines = out.splitlines()
    (recall,) = [line for line in lines if line.startswith("recall@2") and "30 of 30" in line]
    assert recall.split()[1] == "0.500"
    assert any(line.startswith("by question_type") and "reasoning (15)" in line for line in lines)
    (gap,) = [line for line in lines if line.startswith("recall@2") and line.endswith("yes")]
    assert "-0.500" in gap
    assert "no response has 'tool_calls'" in out


def test_scores_as_json_and_of_each_row(files, capsys):
    code, out, _ = run(
        capsys,
        "set.jsonl",
        "good.jsonl",
        "--metrics",
        "recall@2,token_f1,numbers_right",
        "-o",
        "out/scores.json",
        "--json",
    )
    assert code == 0
    printed = json.loads(out)
    assert printed == json.loads((files / "out/scores.json").read_text(encoding="utf-8"))
    assert list(printed["metrics"]) == ["recall@2", "token_f1", "numbers_right"]
    assert printed["metrics"]["recall@2"]["mean"] == 1.0
    assert 0 < printed["metrics"]["recall@2"]["low"] < 1
    assert set(printed["definitions"]) == {"recall", "token_f1", "numbers_right"}
    rows = [json.loads(line) for line in (files / "out/scores.rows.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == [f"q-{i}" for i in range(30)]
    assert rows[5]["scores"]["token_f1"] == 0.5
    assert printed["settings"]["unit"] == "chunk"


@pytest.mark.parametrize(
    ("least", "code"),
    [("recall@2=.8", 0), ("recall@1=.9", 6), ("token_f1=.9", 7), ("recall@1=.9,", 2), ("recall=1", 2), ("x", 2)],
)
def test_exit_codes_are_a_gate(files, capsys, least, code):
    try:
        found = main(["evaluate", "set.jsonl", "good.jsonl", "--k", "1,2", "--min", least, "--quiet"])
    except SystemExit as stop:
        found = stop.code
    assert found == code
    err = capsys.readouterr().err
    assert ("synth: below the threshold" in err) == (code == 6)
    assert ("too few rows to decide" in err) == (code == 7)


def test_errors_are_one_line(files, capsys):
    (files / "broken.jsonl").write_text('{"id": "q-1", "answer": ["x"]}\n', encoding="utf-8")
    for arguments, says in [
        (["missing.jsonl", "good.jsonl"], "cannot read missing.jsonl"),
        (["set.jsonl", "missing.jsonl"], "cannot read missing.jsonl"),
        (["set.jsonl", "good.jsonl", "--metrics", "nope"], "unknown metric 'nope'; known: abstention"),
        (
            ["set.jsonl", "broken.jsonl"],
            "no line is a response; the first: broken.jsonl:1: field 'answer' must be a text",
        ),
    ]:
        code, _, err = run(capsys, *arguments)
        assert code == 2
        assert says in err
        assert "Traceback" not in err
    assert not (files / "missing.jsonl").exists()


def test_interrupted_writing_leaves_nothing(files, capsys):
    code, _, _ = run(capsys, "set.jsonl", "good.jsonl", "--min", "nope=1", "-o", "scores.json")
    assert code == 2
    assert sorted(path.name for path in files.iterdir()) == ["good.jsonl", "set.jsonl", "worse.jsonl"]


def test_the_same_bytes_every_time(files, capsys):
    first, second = (run(capsys, "set.jsonl", "good.jsonl", "--json")[1] for _ in range(2))
    assert first == second
