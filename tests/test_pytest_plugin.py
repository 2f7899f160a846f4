"""The plugin of pytest: rows and thresholds as tests, and what is shown where they fail."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from synth.cli.main import main
from synth.core.jsonl import read_samples
from synth.testset.dataset import Dataset
from synth.workflows.api import evaluate

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'^```\w+ title="([\w./]+)"\n(.*?)^```', PAGE, re.DOTALL | re.MULTILINE))
THRESHOLDS = (
    "def test_threshold(synth_threshold):\n    assert synth_threshold.decision == 'passed', synth_threshold.text\n"
)


@pytest.fixture(scope="module")
def testset(tmp_path_factory):
    place = tmp_path_factory.mktemp("set")
    documents = str(ROOT / "corpora" / "en" / "tideline")
    command = ["generate", documents, "-n", "8", "--types", "simple=1", "-o", str(place / "testset.jsonl")]
    assert main([*command, "--include", "*.md", "--workspace", str(place / "ws"), "--quiet"]) == 0
    return place / "testset.jsonl"


@pytest.fixture
def project(pytester, monkeypatch, testset):
    """A folder with a testset, eval/testset.jsonl, and its documents."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (pytester.path / "eval").mkdir()
    (pytester.path / "eval" / "testset.jsonl").write_bytes(testset.read_bytes())
    (pytester.path / "docs").symlink_to(ROOT / "corpora" / "en" / "tideline")
    return pytester


def run(project, *options):
    # The plugin of this checkout, whatever distribution is installed.
    plugins = ("-p", "no:synth", "-p", "synth.cli.pytest_plugin", "-p", "no:cacheprovider")
    return project.run(sys.executable, "-m", "pytest", *plugins, *options)


def written(project, **files):
    for name, text in files.items():
        (project.path / "eval" / f"{name}.toml" if name == "thresholds" else project.path / f"{name}.py").write_text(
            text
        )


def test_the_files_of_the_page_take_chinese_documents_in_folders(project, tmp_path):
    documents = ROOT / "corpora" / "zh"
    (project.path / "docs").unlink()
    (project.path / "docs").symlink_to(documents)
    for name, text in FILES.items():
        place = project.path / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    output = project.path / "eval" / "testset.jsonl"
    output.unlink()
    command = ["generate", str(documents), "-n", "8", "--types", "simple=1", "-o", str(output), "--include", "*.md"]
    assert main([*command, "--workspace", str(tmp_path / "ws"), "--quiet"]) == 0
    assert any("/" in evidence.doc_id for sample in read_samples(output).samples for evidence in sample.evidence)
    found = run(project, "test_rag.py", "-k", "evidence").parseoutcomes()
    assert found.get("passed", 0) >= 6, found


def test_the_project_names_the_plugin():
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert table["project"]["entry-points"]["pytest11"] == {"synth": "synth.cli.pytest_plugin"}


def test_the_example_of_the_page_runs(project):
    assert set(FILES) == {
        "pyproject.toml",
        "eval/thresholds.toml",
        "eval/drop.toml",
        "conftest.py",
        "test_rag.py",
        "rag.py",
    }
    for name, text in FILES.items():
        (project.path / name).write_text(text, encoding="utf-8")
    rows = len((project.path / "eval" / "testset.jsonl").read_text(encoding="utf-8").splitlines())
    done = run(project)
    done.assert_outcomes(passed=rows + 2)
    done = run(project, "--synth-testset", "eval/testset.jsonl", "-k", "evidence_recall")
    done.assert_outcomes(passed=1, deselected=rows + 1)


def test_a_row_that_fails_is_shown(project, testset):
    written(project, test_it="def test_it(synth_row):\n    assert len(synth_row.question) < 40\n")
    done = run(project, "--synth-testset", "eval/testset.jsonl")
    samples = read_samples(testset).samples
    long = [sample for sample in samples if len(sample.question) >= 40]
    done.assert_outcomes(passed=len(samples) - len(long), failed=len(long))
    assert long
    for sample in long:
        done.stdout.fnmatch_lines(
            [f"*test_it?{sample.id}?*", f"question: {sample.question}", "answer: *", "evidence: *"]
        )


def test_thresholds_pass_fail_are_inconclusive_and_are_left_out(project, testset):
    rows = [json.loads(line) for line in testset.read_text(encoding="utf-8").splitlines()]
    answers = [{"id": row["id"], "answer": row["golden_answers"][0] if i % 2 else ""} for i, row in enumerate(rows)]
    (project.path / "responses.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers[:-1]))
    written(
        project,
        test_it=THRESHOLDS,
        thresholds='profile = "exploratory"\n[min]\ntoken_f1 = 0.01\nexact_match = 0.99\nabstention = 0.5\n'
        "[by.question_type.simple]\ncorrectness = 0.4\n",
    )
    files = ("--synth-testset", "eval/testset.jsonl", "--synth-thresholds", "eval/thresholds.toml")
    done = run(project, *files, "--synth-responses", "responses.jsonl", "-rA")
    done.stdout.fnmatch_lines_random(
        [
            "PASSED *test_threshold?token_f1?",
            "SKIPPED *the metric evidence_recall@10 of the profile has no value in this evaluation",
            "E*AssertionError: exact_match 0.* (*); the minimum is 0.99",
            "E*assert 'failed' == 'passed'",
            "E*AssertionError: abstention has no value; the minimum is 0.5",
            "E*AssertionError: correctness (question_type=simple) 0.* (*); the minimum is 0.4",
            "E*assert 'inconclusive' == 'passed'",
            "*PytestWarning: no response to 1 of 8 rows, which are scored as empty: *",
        ]
    )
    assert done.ret == 1


SET = ("--synth-testset", "eval/testset.jsonl")
NO_TESTSET = "name the testset with --synth-testset FILE or the setting synth_testset"
NO_THRESHOLDS = "name the thresholds with --synth-thresholds FILE or the setting synth_thresholds"
NO_RESPONSES = "name the responses with --synth-responses FILE or the setting synth_responses; or define a fixture *"


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ((), [NO_TESTSET, NO_THRESHOLDS]),
        (("--synth-testset", "empty.jsonl"), ["the testset */empty.jsonl contains no row"]),
        ((*SET, "--synth-thresholds", "eval/thresholds.toml"), [NO_RESPONSES]),
    ],
)
def test_what_is_missing_is_said_in_one_line(project, options, lines):
    (project.path / "empty.jsonl").touch()
    written(
        project,
        test_row="def test_row(synth_row):\n    pass\n",
        test_z=THRESHOLDS,
        thresholds="[min]\ntoken_f1 = 0.5\n",
    )
    done = run(project, *options)
    assert done.ret in (1, 2)
    for line in lines:
        done.stdout.fnmatch_lines(["*ERROR*", line])
    assert "pytest_plugin.py" not in done.stdout.str()


def test_every_way_to_evaluate_a_set_knows_the_documents_of_its_manifest(project, capsys, monkeypatch):
    monkeypatch.chdir(project.path)
    rows = [json.loads(line) for line in Path("eval/testset.jsonl").read_text(encoding="utf-8").splitlines()]
    for i, row in enumerate(rows):
        row["evidence"][0]["doc_id"] = "index.md" if i else "other.md"
    Path("eval/testset.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    manifest = {"format": 2, "corpus": {"documents": dict.fromkeys(("index.md", "other.md", "guide/index.md"), "h")}}
    Path("eval/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    answers = [{"id": row["id"], "retrieved": [{"doc_id": "guide/index.md"}, {"doc_id": "index.md"}]} for row in rows]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    loaded = Dataset.load("eval/testset.jsonl")
    results = [evaluate(of, "answers.jsonl") for of in ("eval/testset.jsonl", loaded, loaded[:], loaded.sample(99))]
    means = [result.evaluation.metrics["precision@1"].estimate.mean for result in results]
    assert main(["evaluate", "eval/testset.jsonl", "answers.jsonl", "--json", "--quiet"]) == 0
    means.append(json.loads(capsys.readouterr()[0])["metrics"]["precision@1"]["mean"])
    assert means == [0.0] * 5
    test = "def test_it(synth_evaluation):\n    assert synth_evaluation.evaluation.metrics['precision@1'].estimate.mean == 0\n"
    written(project, test_it=test)
    options = ("--synth-testset", "eval/testset.jsonl", "--synth-responses", "answers.jsonl")
    run(project, *options).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("thresholds", "line"),
    [
        ("[not_below]\ntoken_f1 = 0.5\n", "thresholds under 'not_below' need *name it with --synth-baseline"),
        ('[min]\n"recall@7" = 0.5\n', "recall@7 has *add --k *; in pytest, set such options * fixture synth_settings"),
    ],
)
def test_a_message_names_the_options_of_pytest(project, thresholds, line):
    written(project, test_z=THRESHOLDS, thresholds=thresholds)
    Path(project.path / "answers.jsonl").write_text('{"id": "q-1", "answer": "x"}', encoding="utf-8")
    done = run(project, *SET, "--synth-thresholds", "eval/thresholds.toml", "--synth-responses", "answers.jsonl")
    done.stdout.fnmatch_lines([line])
