"""Runs that are kept, and the command compare: paired differences, and refusal of what was measured differently."""

import json

import pytest

import synth
from synth.cli.main import main
from synth.evaluation.stored_runs import next_path
from synth.testset.dataset import Dataset
from tests.metrics.cases import item, piece
from tests.test_evaluation import made_set
from tests.test_thresholds import write


@pytest.fixture
def here(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    made_set(40).save("set.jsonl")
    made_set(30).save("smaller.jsonl")
    for name, step in (("before", 2), ("after", 40)):
        write(
            tmp_path / f"{name}.jsonl",
            [{"id": f"q-{i}", "answer": "no" if i % step == 1 else f"answer {i}"} for i in range(40)],
        )
        keep(name, "set.jsonl", f"{name}.jsonl")
    capsys.readouterr()
    return tmp_path


def keep(name, testset, responses, *more):
    arguments = ["--metrics", "token_f1,exact_match", "--runs", "runs", "--name", name, "--quiet", *more]
    assert main(["evaluate", testset, responses, *arguments]) == 0


def compare(capsys, *arguments):
    code = main(["compare", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_wide_intervals_of_few_documents_are_explained(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, documents in (("few", 6), ("many", 40)):
        rows = [item("Bonn", [piece("x", doc_id=f"{n % documents}.md")], id=f"q-{n}") for n in range(40)]
        Dataset(rows).save(f"{name}.jsonl")
        for n in range(2):
            synth.evaluate(f"{name}.jsonl", [{"id": row.id, "answer": "Bonn"} for row in rows], runs=name, name=f"{n}")
        said = compare(capsys, name)[1]
        assert ("intervals are wide: 40 rows count as only 6 documents" in said) == (name == "few")
        assert ("count as only 6 documents" in str(synth.compare(name))) == (name == "few")


def test_runs_are_numbered_and_named(here):
    assert sorted(path.name for path in (here / "runs").iterdir()) == [
        "0001-before.json",
        "0001-before.rows.jsonl",
        "0002-after.json",
        "0002-after.rows.jsonl",
    ]
    assert next_path(here / "runs", "版本 3/β").name == "0003-版本-3-β.json"
    assert next_path(here / "none", "..").name == "0001-run.json"
    held = json.loads((here / "runs/0001-before.json").read_text(encoding="utf-8"))["run"]
    assert held["testset"].startswith("sha256:")
    assert set(held["metrics"]) == {"token_f1", "exact_match"}


def test_two_runs_side_by_side(here, capsys):
    code, out, _ = compare(capsys, "runs/0001-before.json", "runs/0002-after.json", "--json")
    assert code == 0
    gap = json.loads(out)["differences"]["exact_match"]
    assert gap["mean"] == pytest.approx(0.475)
    assert gap["low"] < gap["mean"] < gap["high"]
    assert gap["p_holm"] < 0.05
    code, out, _ = compare(capsys, "runs/0001-before.json", "runs/0002-after.json")
    assert "+0.475" in out
    assert "change: after minus before; p is corrected for 2 metrics (Holm)" in out
    assert "rows: 40 in before, 40 in after, 40 in both" in out


def test_means_are_over_the_rows_that_both_have(here, capsys):
    path = here / "runs/0002-after.rows.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows[:20]:
        row["scores"]["token_f1"] = None
    write(path, rows)
    out = compare(capsys, "runs/0001-before.json", "runs/0002-after.json")[1]
    (line,) = [line for line in out.splitlines() if line.startswith("token_f1")]
    before, after, change = map(float, line.split()[1:4])
    assert after - before == pytest.approx(change, abs=0.0011)
    assert (
        "rows with a value of token_f1: 40 in before, 20 in after, 20 in both" in out
        or "rows: 40 in before, 20 in after" in out
    )
    printed = json.loads(compare(capsys, "runs/0001-before.json", "runs/0002-after.json", "--json")[1])
    assert printed["differences"]["token_f1"]["n"] == 20
    assert printed["differences"]["token_f1"]["n_of_each"] == [40, 20]


def test_headline_metrics_are_compared_unless_all_are_asked_for(here, capsys):
    for name in ("before", "after"):
        assert main(["evaluate", "set.jsonl", f"{name}.jsonl", "--runs", "every", "--name", name, "--quiet"]) == 0
    capsys.readouterr()
    tested = {}
    for more in ((), ("--all",), ("--metrics", "exact_match")):
        printed = json.loads(compare(capsys, "every", *more, "--json")[1])
        tested[more] = printed["corrected_for"]
        assert "rouge_l" in printed["differences"]
    assert tested[()] < tested[("--all",)] == len([g for g in printed["differences"].values() if g["p"] is not None])
    assert tested[("--metrics", "exact_match")] == 1
    assert "rouge_l" not in compare(capsys, "every")[1]
    assert "rouge_l" in compare(capsys, "every", "--all")[1]


def test_the_history_of_a_folder_leaves_out_what_was_measured_differently(here, capsys):
    keep("small", "smaller.jsonl", "after.jsonl")
    keep("again", "set.jsonl", "after.jsonl")
    capsys.readouterr()
    code, out, _ = compare(capsys, "runs")
    assert code == 0
    assert out.splitlines()[1].split()[1:4] == ["before", "after", "again"]
    assert "+0.000" in out
    assert "metrics not shown, because the runs measured them differently: small" in out


@pytest.mark.parametrize(
    ("testset", "more", "says"),
    [("smaller.jsonl", (), "they differ in testset"), ("set.jsonl", ("--fold", "width"), "they differ in fold")],
)
def test_what_was_measured_differently_is_refused(here, capsys, testset, more, says):
    keep("other", testset, "after.jsonl", *more)
    capsys.readouterr()
    code, _, err = compare(capsys, "runs/0001-before.json", "runs/0003-other.json")
    assert code == 2
    assert says in err


def test_a_metric_defined_differently_is_left_out_and_named(here, capsys):
    path = here / "runs/0001-before.json"
    held = json.loads(path.read_text(encoding="utf-8"))
    held["run"]["metrics"]["token_f1"] = "sha256:another"
    path.write_text(json.dumps(held), encoding="utf-8")
    code, out, _ = compare(capsys, str(path), "runs/0002-after.json")
    assert code == 0
    assert "not compared: token_f1: measured with different versions" in out
    held["run"]["metrics"]["exact_match"] = "sha256:another"
    path.write_text(json.dumps(held), encoding="utf-8")
    code, _, err = compare(capsys, str(path), "runs/0002-after.json")
    assert code == 2
    assert "no metric that both measured in the same way: token_f1 (measured with different versions" in err


def test_runs_with_ids_of_other_units_are_compared_by_their_answers(here, capsys):
    for name, unit in (("before", "chunk"), ("after", "document")):
        path = next(here.glob(f"runs/*-{name}.json"))
        held = json.loads(path.read_text(encoding="utf-8"))
        held["run"]["unit"] = unit
        held["run"]["metrics"]["recall"] = "sha256:same"
        path.write_text(json.dumps(held), encoding="utf-8")
        path = path.with_suffix(".rows.jsonl")
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        write(path, [{**row, "scores": {**row["scores"], "recall@5": 1.0}} for row in rows])
    code, out, _ = compare(capsys, "runs")
    assert code == 0
    assert "token_f1" in out
    assert "not compared: recall@5: the unit of ids is chunk in before and document in after (--unit)" in out


def test_runs_of_other_metrics_name_what_each_has(here, capsys):
    path = here / "runs/0002-after.rows.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    write(path, [{**row, "scores": {"recall@5": 1.0}} for row in rows])
    code, _, err = compare(capsys, "runs/0001-before.json", "runs/0002-after.json")
    assert code == 2
    assert "token_f1 (only before measured it)" in err
    assert "recall@5 (only after measured it)" in err


@pytest.mark.parametrize("scores", [[1.0], {"token_f1": "high"}, {"token_f1": True}, "x", None])
def test_a_row_whose_scores_are_no_numbers_is_named(here, capsys, scores):
    path = here / "runs/0002-after.rows.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    write(path, [rows[0], {**rows[1], "scores": scores}])
    code, _, err = compare(capsys, "runs/0001-before.json", "runs/0002-after.json")
    assert code == 2
    assert "0002-after.rows.jsonl:2: the line does not contain scores of a row" in err


@pytest.mark.parametrize("field", ["run", "top"])
def test_metrics_that_are_no_object_are_no_run(here, capsys, field):
    path = here / "runs/0002-after.json"
    held = json.loads(path.read_text(encoding="utf-8"))
    (held if field == "top" else held["run"])["metrics"] = []
    path.write_text(json.dumps(held), encoding="utf-8")
    code, _, err = compare(capsys, "runs/0001-before.json", str(path))
    assert code == 2
    assert "is not a run" in err


def test_errors_are_one_line(here, capsys):
    (here / "old.json").write_text('{"run": {"format": 0, "metrics": {}}, "metrics": {}}', encoding="utf-8")
    (here / "empty").mkdir()
    for arguments, says in [
        (["runs/0001-before.json"], "is a single file, and a comparison needs two runs"),
        (["missing.json", "runs/0002-after.json"], "cannot read missing.json"),
        (["set.jsonl", "runs/0002-after.json"], "set.jsonl is not a run"),
        (["old.json", "runs/0002-after.json"], "has format 0, but this synth reads format 1"),
        (["runs", "--metrics", "token_f2"], "did you mean token_f1"),
        (["empty"], "empty contains fewer than two runs"),
    ]:
        code, _, err = compare(capsys, *arguments)
        assert code == 2, arguments
        assert says in err
        assert "Traceback" not in err
