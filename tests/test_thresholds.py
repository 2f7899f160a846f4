"""Thresholds in a file, profiles, slices, a baseline; JUnit and Markdown of what was decided."""

import json
import re
from xml.etree import ElementTree

import pytest

from synth.cli.main import main
from synth.core.errors import ConfigError
from synth.evaluation.thresholds import PROFILES, read_thresholds
from tests.test_evaluation import made_set

THRESHOLDS = """
profile = "exploratory"
[min]
"recall@2" = 0.8
[not_below]
token_f1 = 0.3
[by.question_type.reasoning]
"recall@2" = 0.8
"""

MEASURED = ("--metrics", "recall@2,token_f1,correctness,exact_match,abstention")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made_set(40).save("set.jsonl")
    rows = [{"id": f"q-{i}", "answer": f"answer {i}", "retrieved": ["c-0", f"c-{i}"]} for i in range(40)]
    write(tmp_path / "good.jsonl", rows)
    write(tmp_path / "bad.jsonl", [{**row, "answer": "no"} for row in rows])
    (tmp_path / "thresholds.toml").write_text(THRESHOLDS, encoding="utf-8")
    return tmp_path


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def evaluate(*arguments):
    return main(["evaluate", "set.jsonl", *arguments, *MEASURED, "--quiet"])


def test_a_file_of_thresholds_is_read(here):
    found = read_thresholds(here / "thresholds.toml")
    assert found.minimums == {"recall@2": 0.8}
    assert found.max_drops == {"token_f1": 0.3}
    assert found.slices == {"question_type": {"reasoning": {"recall@2": 0.8}}}
    assert found.profile == PROFILES["exploratory"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[min]\nrecall = 2", "field 'min.recall' must be a number from 0 to 1, was 2"),
        ("[min]\nrecall = true", "was True"),
        ("min = 1", "'min' must be a table, was 1"),
        ("[by]\nlanguage = 1", "'by.language' must be a table"),
        ("[least]", "unknown 'least'; known: profile, min, not_below, by"),
        ('profile = "best"', "unknown profile 'best'; known: exploratory"[:25]),
        ("[", "is not TOML"),
    ],
)
def test_a_file_that_is_not_right_is_refused(tmp_path, text, says):
    (tmp_path / "thresholds.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        read_thresholds(tmp_path / "thresholds.toml")
    assert says in str(error.value)
    with pytest.raises(ConfigError, match="cannot read the thresholds"):
        read_thresholds(tmp_path / "none.toml")


def test_a_threshold_of_a_metric_whose_field_no_response_has_is_refused(here, capsys):
    write(here / "answers.jsonl", [{"id": f"q-{i}", "answer": f"answer {i}"} for i in range(40)])
    assert main(["evaluate", "set.jsonl", "answers.jsonl", "--min", "recall@5=0.8", "--quiet"]) == 2
    assert (
        capsys.readouterr().err
        == "synth: the threshold of recall@5 needs the field 'retrieved', but no response contains it\n"
    )
    assert main(["evaluate", "set.jsonl", "answers.jsonl", "--quiet"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_the_gate_looks_at_rows_slices_and_the_baseline(here, capsys):
    assert evaluate("good.jsonl", "--runs", "runs", "--name", "good") == 0
    capsys.readouterr()
    arguments = [
        "--thresholds",
        "thresholds.toml",
        "--baseline",
        "runs/0001-good.json",
        "--junit",
        "j.xml",
        "--markdown",
        "m.md",
    ]
    assert evaluate("good.jsonl", *arguments) == 0
    out = capsys.readouterr().out
    assert "recall@2 (question_type=reasoning)" in out
    assert "token_f1 (change)" in out
    suite = ElementTree.parse(here / "j.xml").getroot()
    assert suite.attrib["failures"] == suite.attrib["errors"] == "0"
    assert int(suite.attrib["tests"]) == len(suite) >= 4

    assert evaluate("bad.jsonl", *arguments) == 6
    assert "token_f1 (change) -1.000" in capsys.readouterr().err
    suite = ElementTree.parse(here / "j.xml").getroot()
    failed = [case.attrib["name"] for case in suite if case.find("failure") is not None]
    assert "token_f1 (change) >= -0.3" in failed
    text = (here / "m.md").read_text(encoding="utf-8")
    assert text.startswith("## synth evaluate: ❌ failed")
    assert "| recall@2 | 0.8 | 1.000 |" in text


def test_a_system_passes_beside_its_own_run_and_one_that_finds_nothing_fails(here, capsys):
    (here / "drop.toml").write_text('[not_below]\n"recall@2" = 0\ntoken_f1 = 0.02\n', encoding="utf-8")
    assert evaluate("good.jsonl", "--runs", "runs") == 0
    beside = ("--thresholds", "drop.toml", "--baseline", "runs/0001-run.json")
    assert evaluate("good.jsonl", *beside) == 0
    rows = [{"id": f"q-{i}", "answer": f"answer {i}", "retrieved": [{"text": "nothing"}]} for i in range(40)]
    write(here / "dead.jsonl", rows)
    assert evaluate("dead.jsonl", *beside) == 2
    assert "none, because no passage that this run retrieved has an id of the testset" in capsys.readouterr().err
    assert evaluate("dead.jsonl", *beside, "--unit", "chunk") == 6


def test_what_cannot_be_told_is_an_error_of_junit_and_a_code_of_its_own(here, capsys):
    rows = [{"id": f"q-{i}", "answer": f"answer {i if i % 5 else 0}"} for i in range(40)]
    write(here / "some.jsonl", rows)
    assert evaluate("some.jsonl", "--min", "exact_match=.8", "--junit", "j.xml") == 7
    (case,) = ElementTree.parse(here / "j.xml").getroot()
    assert case.find("error").attrib["type"] == "inconclusive"


def test_a_profile_looks_only_at_what_has_a_value(here, capsys):
    assert evaluate("good.jsonl", "--profile", "standard") == 0
    out = capsys.readouterr().out
    assert re.search(r"^correctness +0\.75 ", out, re.MULTILINE)
    assert "abstention " not in out.partition("threshold")[2]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('[min]\n"recal@9" = 1', "unknown metric or column 'recal@9'"),
        ('[min]\n"recall@9" = 1', "recall@9 has a threshold, but this run measures only recall@2; add --k 2,9"),
        ("[min]\nfaithfulness = 1", "including faithfulness, and name the judging model with --llm"),
        ("[by.nope.x]\ntoken_f1 = 1", "unknown value of nope 'x'; known: (none)"),
        ("[by.question_type.x]\ntoken_f1 = 1", "unknown value of question_type 'x'; known: reasoning, simple"),
        ("[not_below]\ntoken_f1 = 0.1", "name it with --baseline"),
    ],
)
def test_a_threshold_of_nothing_is_named(here, capsys, content, says):
    (here / "wrong.toml").write_text(content, encoding="utf-8")
    assert evaluate("good.jsonl", "--thresholds", "wrong.toml") == 2
    assert says in capsys.readouterr().err


def test_the_rows_as_csv(here):
    assert evaluate("good.jsonl", "--csv", "rows.csv") == 0
    lines = (here / "rows.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "id,document,question_type,recall@2,token_f1,correctness,exact_match,abstention"
    assert lines[1] == "q-0,0.md,reasoning,1.0,1.0,1.0,1.0,"
    assert len(lines) == 41
