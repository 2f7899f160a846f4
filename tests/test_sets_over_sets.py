"""A set is replaced by what its command makes again, in place, or with --force; by nothing else."""

import json
import shutil

import pytest

from synth.annotation.decisions import Decisions, store_path
from synth.annotation.records import annotation_of
from synth.cli.main import main
from synth.core.jsonl import read_samples
from tests.chat import stations

COMMANDS = {
    "generate": "generate docs -o OVER -n 2 --seed 4 --types simple",
    "update": "update SET --corpus changed -o OVER",
    "update without changes": "update SET --corpus docs -o OVER",
    "rejudge": "rejudge SET --corpus docs -o OVER",
    "adopt": "adopt foreign.json --corpus docs -o OVER",
    "annotate accept": "annotate accept SET --with-unreviewed -o OVER",
}
DERIVED = [name for name in COMMANDS if name != "generate"]
FINE = (0, 10, 11)
NAMES = ("{}.jsonl", "{}.rejected.jsonl", "{}.retired.jsonl", "{}.manifest.json")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Three sets of other seeds, one of them of one row, and a file of questions of others."""
    place = tmp_path_factory.mktemp("made")
    docs = stations(place / "docs")
    changed = shutil.copytree(docs, place / "changed")
    (changed / "new.md").write_text("# Rowan line\n\nThe Rowan station opened in 1977.\n", encoding="utf-8")
    for name, seed, rows in (("set", 0, 3), ("other", 1, 3), ("small", 2, 1)):
        told = ["generate", str(docs), "-o", str(place / f"{name}.jsonl"), "--seed", str(seed), "-n", str(rows)]
        told += ["--types", "simple"]
        assert main([*told, "--workspace", str(place / "ws"), "--quiet"]) == 0
    found = [
        {"question": one.question, "answer": one.golden_answers[0], "contexts": [one.evidence[0].text]}
        for one in read_samples(place / "set.jsonl").samples
    ]
    (place / "foreign.json").write_text(json.dumps(found), encoding="utf-8")
    return place


@pytest.fixture
def home(made, tmp_path, monkeypatch):
    home = shutil.copytree(made, tmp_path / "home")
    monkeypatch.chdir(home)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(home / "ws"))
    return home


def run(command, over, *options, testset="set.jsonl"):
    return main([*COMMANDS[command].replace("OVER", over).replace("SET", testset).split(), "--quiet", *options])


def files(home, name):
    found = (home / pattern.format(name) for pattern in NAMES)
    return {path.name: path.read_bytes() for path in found if path.exists()}


def decide(testset):
    with Decisions(store_path(testset)) as decisions:
        for sample in read_samples(testset).samples:
            decisions.add(annotation_of(sample, "ann", {"decision": "accept", "reason": ""}, "a test"), "review")


@pytest.mark.parametrize("command", DERIVED)
@pytest.mark.parametrize("over", ["other", "small", "own"])
def test_a_set_that_was_made_otherwise_is_refused_and_replaced_with_force(home, capsys, command, over):
    (home / "own.jsonl").write_text('{"id": "1", "question": "Q?", "golden_answers": ["A"]}\n', encoding="utf-8")
    before = files(home, over)
    capsys.readouterr()
    assert run(command, f"{over}.jsonl") == 2
    said = capsys.readouterr().err
    assert f"{over}.jsonl already exists and was not made by {command.removesuffix(' without changes')} from" in said
    assert "--force" in said
    assert files(home, over) == before
    assert run(command, f"{over}.jsonl", "--force") in FINE
    assert files(home, over)[f"{over}.jsonl"] != before[f"{over}.jsonl"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_replaces_what_it_made_until_somebody_edits_it(home, command):
    assert run(command, "new.jsonl") in FINE
    before = files(home, "new")
    assert run(command, "new.jsonl") in FINE
    assert files(home, "new")["new.jsonl"] == before["new.jsonl"]
    edited = before["new.jsonl"].replace(b"?", b"??", 1)
    (home / "new.jsonl").write_bytes(edited)
    assert run(command, "new.jsonl") == 2
    assert (home / "new.jsonl").read_bytes() == edited


@pytest.mark.parametrize("command", DERIVED)
def test_what_one_command_made_is_not_replaced_by_another(home, command):
    others = [name for name in DERIVED if name.partition(" ")[0] != command.partition(" ")[0]]
    for number, other in enumerate(others):
        if other == "update without changes":
            continue  # a copy of the set
        assert run(other, f"made-{number}.jsonl", "--force") in FINE
        same = (home / f"made-{number}.jsonl").read_bytes() == (home / "set.jsonl").read_bytes()
        expected = FINE if same and command != "adopt" else (2,)
        assert run(command, f"made-{number}.jsonl") in expected, other


@pytest.mark.parametrize("command", ["update", "rejudge"])
def test_a_set_is_brought_up_to_date_in_place_without_a_question(home, command):
    for _ in range(2):
        assert run(command, "set.jsonl") in FINE


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reviewed_set_is_kept_beside_with_force(home, capsys, command):
    decide(home / "small.jsonl")
    before = files(home, "small")
    capsys.readouterr()
    assert run(command, "small.jsonl") == 2
    assert "contains the work of people: 1 decision" in capsys.readouterr().err
    assert files(home, "small") == before
    assert run(command, "small.jsonl", "--force") in FINE
    assert "the set that people reviewed is in small.reviewed.jsonl" in capsys.readouterr().out
    assert (home / "small.reviewed.jsonl").read_bytes() == before["small.jsonl"]
    assert store_path(home / "small.reviewed.jsonl").exists()


@pytest.mark.parametrize("command", DERIVED)
def test_a_dry_run_and_a_new_name_ask_nothing(home, command):
    assert run(command, "new.jsonl") in FINE
    if command.startswith("update"):
        assert run(command, "other.jsonl", "--dry-run") in FINE


@pytest.mark.parametrize("command", ["adopt", "annotate accept"])
def test_generate_replaces_no_set_of_people_that_was_updated_since(home, capsys, command):
    assert run(command, "new.jsonl") in FINE
    assert run("update", "new.jsonl", testset="new.jsonl") in FINE
    capsys.readouterr()
    assert run("generate", "new.jsonl") == 2
    assert "contains the work of people" in capsys.readouterr().err
