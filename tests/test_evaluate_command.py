"""The command evaluate: tables, files, exit codes, and errors that name file, line and row."""

import json

import pytest

import synth
from synth.cli.main import main
from synth.core.errors import InputError
from synth.testset.dataset import Dataset
from tests.metrics.cases import item, piece
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
        capsys, "set.jsonl", "worse.jsonl", "--k", "1,2", "--by", "question_type", "--compare", "good.jsonl", "--all"
    )
    assert code == 0
    assert "synth: worse.jsonl:30: not JSON" in err
    assert "no response to 1 of 30 rows, which are scored as empty: q-29" in err
    lines = out.splitlines()
    (recall,) = [line for line in lines if line.startswith("recall@2") and "30 of 30" in line]
    assert recall.split()[1] == "0.500"
    at = next(i for i, line in enumerate(lines) if line.startswith("by question_type"))
    assert lines[at].split()[2:] == ["reasoning", "simple"]
    assert lines[at + 2].split() == ["rows", "15", "15"]
    (gap,) = [line for line in lines if line.startswith("recall@2") and line.endswith("yes")]
    assert "+0.500" in gap
    assert "no response contains 'tool_calls'" in out


def test_eight_headline_metrics_each_with_its_meaning(files, capsys):
    code, out, _ = run(capsys, "set.jsonl", "good.jsonl", "-o", "scores.json", "--csv", "rows.csv")
    assert code == 0
    metrics, meanings = (block.splitlines()[2:] for block in out.split("\n\n")[:2])
    shown = [line.split()[0] for line in metrics]
    assert shown == [
        "evidence_recall@5", "precision@5", "evidence_mrr@10", "ndcg@10",
        "correctness", "token_f1", "numbers_right", "exact_match",
    ]  # fmt: skip
    assert [line.split()[0] for line in meanings[:8]] == shown
    assert meanings[0].endswith("share of the evidence that the first 5 passages contain")
    assert "more metrics are shown with --all" in meanings[8]
    assert max(map(len, [*metrics, *meanings])) <= 80
    everything = json.loads((files / "scores.json").read_text(encoding="utf-8"))["metrics"]
    assert {"recall@1", "rouge_l", "bleu"} < set(everything)
    assert "rouge_l" in (files / "rows.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "rouge_l" in run(capsys, "set.jsonl", "good.jsonl", "--all")[1]


@pytest.mark.parametrize("system", ["http://127.0.0.1:9/ask", "https://example.org/v1", "my_rag.py", "my_rag:ask"])
def test_a_system_given_as_responses_is_refused_with_what_to_do(files, capsys, system):
    for arguments in ([system], ["good.jsonl", "--compare", system]):
        code, _, err = run(capsys, "set.jsonl", *arguments)
        assert code == 2
        assert f"{system} is a system, not a file of responses" in err
        assert "Get responses from your system" in err
    with pytest.raises(InputError, match="is a system"):
        synth.evaluate("set.jsonl", system)


@pytest.mark.parametrize(
    ("field", "value", "warns"),
    [
        ("chunks", ["A text long enough to be a passage."], True),
        ("chunks", [{"body": "A text long enough to be a passage."}], True),
        ("tags", ["short", "few"], False),
        ("context", ["A text long enough to be a passage."], False),
        ("evidence", ["A text long enough to be a passage."], False),
    ],
)
def test_an_unknown_field_with_texts_is_named(files, field, value, warns):
    row = {"id": "q-1", "answer": "answer 1", field: value}
    warning = f"unknown field '{field}' in the responses; did you mean 'retrieved'?"
    settings = synth.EvaluationSettings(metrics=("token_f1",))
    assert (warning in synth.evaluate("set.jsonl", [row], settings).warnings) == warns
    beside = synth.evaluate("set.jsonl", [{**row, "retrieved": ["c-1"]}], settings)
    assert warning not in beside.warnings


def test_a_third_system_is_refused_with_the_way_to_compare_more(files, capsys):
    with pytest.raises(SystemExit) as stop:
        run(capsys, "set.jsonl", "good.jsonl", "--compare", "worse.jsonl", "--compare", "good.jsonl")
    assert stop.value.code == 2
    assert "store each with --runs DIR, then run synth compare DIR" in capsys.readouterr().err


def test_slices_of_a_report_are_printed_only_on_request(files, capsys):
    out = run(capsys, "set.jsonl", "good.jsonl", "--html", "report.html")[1]
    assert "by question_type" not in out
    assert "by question_type" in run(capsys, "set.jsonl", "good.jsonl", "--html", "r.html", "--by", "question_type")[1]


def test_a_meaning_names_the_unit_that_the_metric_counts(files, capsys):
    for name, unit in (("chunk", "passages"), ("document", "documents")):
        rows = [{"id": f"q-{i}", "retrieved": [f"{i}.md" if unit == "documents" else f"c-{i}"]} for i in range(30)]
        (files / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        out = run(capsys, "set.jsonl", f"{name}.jsonl")[1]
        assert f"how high relevant {unit} are ranked" in out


def test_headlines_are_measured_at_the_nearest_k_and_only_where_there_is_a_value(files, capsys):
    (files / "answers.jsonl").write_text('{"id": "q-1", "answer": "answer 1"}', encoding="utf-8")
    out = run(capsys, "set.jsonl", "answers.jsonl")[1]
    assert [line.split()[0] for line in out.split("\n\n")[0].splitlines()[2:]] == [
        "correctness", "token_f1", "numbers_right", "exact_match",
    ]  # fmt: skip
    assert "no response contains 'retrieved': " in out
    out = run(capsys, "set.jsonl", "good.jsonl", "--k", "1,3")[1]
    assert {"evidence_recall@3", "evidence_mrr@3", "ndcg@3"} < {line.split()[0] for line in out.splitlines() if line}


def test_missing_values_of_every_metric_that_is_shown_are_explained(files, capsys):
    rows = [json.loads(line) for line in (files / "set.jsonl").read_text(encoding="utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["metadata"]["answer_pattern"] = "answer" if number else "("
    (files / "set.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (files / "answers.jsonl").write_text('{"id": "q-1", "answer": "answer 1"}', encoding="utf-8")
    out = run(capsys, "set.jsonl", "answers.jsonl")[1]
    assert "pattern_match" in out.split("\n\n")[0]
    assert "not a valid RE2 expression" in " ".join(out.split())


def test_p_is_corrected_for_the_metrics_that_are_shown(files, capsys):
    compared = ["set.jsonl", "worse.jsonl", "--compare", "good.jsonl"]
    out = run(capsys, *compared)[1]
    assert "first: worse.jsonl; second: good.jsonl; p is corrected for 8 metrics (Holm)" in out
    assert "second minus first" in out
    for more, tested in (["--metrics", "recall@2,token_f1"], 2), ([], 8):
        scores = json.loads(run(capsys, *compared, *more, "--json")[1])["compared"]
        adjusted = [gap for gap in scores["differences"].values() if gap["p_holm"] is not None]
        assert scores["corrected_for"] == len(adjusted) == tested
        assert max(gap["p_holm"] / gap["p"] for gap in adjusted) <= tested


def test_what_retrieves_nothing_has_0_and_what_has_no_field_has_no_value(files, capsys):
    rows = [{"id": f"q-{i}", "answer": "x", "retrieved": []} for i in range(30)]
    (files / "nothing.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    metrics = json.loads(run(capsys, "set.jsonl", "nothing.jsonl", "--json")[1])["metrics"]
    for name in ("recall@5", "precision@5", "mrr@10", "ndcg@10", "hit_rate@10", "evidence_recall@5", "evidence_mrr@10"):
        assert (metrics[name]["mean"], metrics[name]["n"]) == (0.0, 30), name
    rows = [{"id": f"q-{i}", "answer": "x"} for i in range(30)]
    (files / "no-field.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    printed = json.loads(run(capsys, "set.jsonl", "no-field.jsonl", "--json")[1])
    assert "recall@5" not in printed["metrics"]
    assert printed["not_given"]["recall"] == "retrieved"


@pytest.mark.parametrize(("documents", "few"), [(6, True), (30, False)])
def test_wide_intervals_of_few_documents_are_explained(files, capsys, documents, few):
    Dataset(item("Bonn", [piece("x", doc_id=f"{n % documents}.md")], id=f"q-{n}") for n in range(30)).save("docs.jsonl")
    answers = [{"id": f"q-{n}", "answer": "Bonn" if n % 2 else "Kiel"} for n in range(30)]
    (files / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    out = run(capsys, "docs.jsonl", "answers.jsonl")[1]
    assert ("intervals are wide: 30 rows count as only 6 documents" in out) == few
    assert ("count as only 6 documents" in str(synth.evaluate("docs.jsonl", answers))) == few


def test_slices_of_few_rows_have_no_interval(files, capsys):
    made_set(15).save("few.jsonl")
    out = run(capsys, "few.jsonl", "good.jsonl", "--by", "question_type", "--metrics", "token_f1")[1]
    (line,) = [line for line in out.split("\n\n")[1].splitlines() if line.startswith("token_f1")]
    assert "(" not in line
    out = run(capsys, "set.jsonl", "good.jsonl", "--by", "question_type", "--metrics", "token_f1")[1]
    (line,) = [line for line in out.split("\n\n")[1].splitlines() if line.startswith("token_f1")]
    assert line.count("(") == 2


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
    (files / "broken.jsonl").write_text('{"id": "q-1", "answer": ["x", "y"]}\n', encoding="utf-8")
    for arguments, says in [
        (["missing.jsonl", "good.jsonl"], "cannot read missing.jsonl"),
        (["set.jsonl", "missing.jsonl"], "cannot read missing.jsonl"),
        (["set.jsonl", "good.jsonl", "--metrics", "nope"], "unknown metric 'nope'; known: abstention"),
        (
            ["set.jsonl", "broken.jsonl"],
            "no line is a response; the first problem: broken.jsonl:1: field 'answer' must be a text",
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


def test_only_the_answered_rows_are_measured_if_asked(files, capsys):
    arguments = ["set.jsonl", "worse.jsonl", "--k", "2", "--metrics", "recall", "--csv", "rows.csv", "--html", "r.html"]
    arguments += ["--markdown", "r.md", "--failures", "--compare", "good.jsonl", "-o", "scores.json"]
    code, out, err = run(capsys, *arguments, "--answered-only")
    assert code == 0
    note = "only the 29 rows with a response were measured; 1 row without one was left out"
    assert note in err
    assert note in (files / "r.html").read_text(encoding="utf-8")
    assert "scored as empty" not in err
    assert "29 of 29" in out
    assert "q-29" not in (files / "rows.csv").read_text(encoding="utf-8")
