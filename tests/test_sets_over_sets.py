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


def decide(testset, *given):
    """One person decides on the rows: as `given`, and accepts the rest."""
    with Decisions(store_path(testset)) as decisions:
        for number, sample in enumerate(read_samples(testset).samples):
            value = given[number] if number < len(given) else {"decision": "accept"}
            decisions.add(annotation_of(sample, "ann", value, "a test"), "review")


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
    assert "decisions on it are kept in small.reviewed.jsonl" in capsys.readouterr().out
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


REJECTED = {"decision": "reject", "reason": "trivial"}
REWORDED = {"decision": "edit", "question": "Which year saw the station open?"}


@pytest.mark.parametrize("is_accepted", [True, False])
def test_generate_keeps_a_reviewed_set_and_asks_nothing_again_that_people_left_out(home, capsys, is_accepted):
    old = read_samples(home / "set.jsonl").samples
    decide(home / "set.jsonl", REJECTED, REWORDED)
    over = "set.jsonl"
    if is_accepted:
        over = "good.jsonl"
        assert main(["annotate", "accept", "set.jsonl", "-o", over]) == 0
    before = (home / over).read_bytes()
    more = ["generate", "docs", "-o", over, "-n", "3", "--types", "simple", "--quiet"]
    capsys.readouterr()
    assert main([*more, "--force"]) == 0
    copy = over.replace(".jsonl", ".reviewed.jsonl")
    assert f"decisions on it are kept in {copy}" in capsys.readouterr().out
    assert (home / copy).read_bytes() == before
    asked = {sample.question for sample in read_samples(home / over).samples}
    assert len(asked) == 3
    assert not asked & {old[0].question, old[1].question}
    kept = (home / over.replace(".jsonl", ".rejected.jsonl")).read_text(encoding="utf-8").splitlines()
    people = {row["question"]: row["rejected"]["reason"] for row in map(json.loads, kept) if is_by_people(row)}
    assert people == {old[0].question: "trivial", old[1].question: "edit"}
    # the next run, over a set without decisions, still knows them
    assert main([*more, "--force"]) == 0
    assert not {sample.question for sample in read_samples(home / over).samples} & people.keys()


GENERATE = ["generate", "docs", "--types", "simple", "--quiet", "-n", "3", "-o"]


@pytest.mark.parametrize("is_accepted", [True, False])
@pytest.mark.parametrize("output", ["second.jsonl", "elsewhere/second.jsonl"])
def test_another_set_of_the_same_documents_asks_nothing_that_people_left_out(home, capsys, output, is_accepted):
    old = read_samples(home / "set.jsonl").samples
    decide(home / "set.jsonl", REJECTED, REWORDED)
    if is_accepted:
        assert main(["annotate", "accept", "set.jsonl", "-o", "good.jsonl"]) == 0
        (home / "set.annotations.sqlite").unlink()
    known = "good.jsonl" if is_accepted else "set.jsonl"
    capsys.readouterr()
    assert main([*GENERATE, output, *(["--against", known] if "/" in output else [])]) == 0
    assert f"not asked again: 2 questions that people rejected or reworded in {known}" in capsys.readouterr().err
    asked = {sample.question for sample in read_samples(home / output).samples}
    assert len(asked) == 3
    assert not asked & {old[0].question, old[1].question}
    kept = (home / output.replace(".jsonl", ".rejected.jsonl")).read_text(encoding="utf-8").splitlines()
    people = {row["question"] for row in map(json.loads, kept) if is_by_people(row)}
    assert people == {old[0].question, old[1].question}


def test_what_people_left_out_is_known_where_the_set_itself_was_removed(home):
    old = read_samples(home / "set.jsonl").samples
    with Decisions(store_path(home / "set.jsonl")) as decisions:
        for row, value in zip(old, (REJECTED, {"decision": "accept"}), strict=False):
            decisions.add(annotation_of(row, "ann", value, "a test"), "review")
    assert main(["annotate", "accept", "set.jsonl", "-o", "elsewhere/good.jsonl"]) == 0
    (home / "elsewhere/good.jsonl").unlink()
    before = (home / "elsewhere/good.rejected.jsonl").read_bytes()
    assert main([*GENERATE, "elsewhere/good.jsonl", "--force"]) == 0
    asked = {sample.question for sample in read_samples(home / "elsewhere/good.jsonl").samples}
    assert len(asked) == 3
    assert old[0].question not in asked
    assert (home / "elsewhere/good.reviewed.rejected.jsonl").read_bytes() == before


def test_update_asks_nothing_that_people_left_out_of_a_set_beside(home, capsys):
    old = read_samples(home / "set.jsonl").samples
    decide(home / "set.jsonl", REJECTED, REJECTED, REJECTED)
    capsys.readouterr()
    more = ["--corpus", "docs", "-n", "3", "-o", "more.jsonl", "--quiet"]
    assert main(["update", "small.jsonl", *more]) == 10
    before = {sample.question for sample in read_samples(home / "small.jsonl").samples}
    asked = {sample.question for sample in read_samples(home / "more.jsonl").samples} - before
    assert len(asked) == 2
    assert not asked & {sample.question for sample in old}
    assert "that people rejected or reworded in set.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("other", ["unrelated", "damaged"])
def test_decisions_on_other_documents_or_in_a_damaged_log_stop_nothing(home, capsys, other):
    decide(home / "set.jsonl", REJECTED)
    if other == "damaged":
        store_path(home / "set.jsonl").write_bytes(b"no log" * 200)
    else:
        manifest = (home / "set.manifest.json").read_text(encoding="utf-8")
        held = json.loads(manifest)
        held["corpus"]["documents"] = {"a-file.md": "sha256:0"}
        (home / "set.manifest.json").write_text(json.dumps(held), encoding="utf-8")
    capsys.readouterr()
    assert main([*GENERATE, "second.jsonl"]) == 0
    err = capsys.readouterr().err
    assert "not asked again" not in err
    assert ("the decisions on set.jsonl cannot be used" in err) == (other == "damaged")


def is_by_people(row):
    return row["rejected"]["stage"] == "people"


@pytest.mark.parametrize("command", ["update", "rejudge", "adopt", "annotate accept"])
def test_an_accepted_set_is_kept_beside_with_force_also_without_its_log(home, command):
    decide(home / "other.jsonl", REJECTED)
    assert main(["annotate", "accept", "other.jsonl", "-o", "good.jsonl"]) == 0
    before = files(home, "good")
    assert run(command, "good.jsonl", "--force") in FINE
    assert files(home, "good.reviewed") == {
        name.replace("good", "good.reviewed"): content for name, content in before.items()
    }


def test_the_commands_that_generate_names_for_a_reviewed_set_add_rows_to_it(home, capsys):
    decide(home / "set.jsonl", REJECTED)
    more = ["generate", "docs", "-n", "4", "--types", "simple", "--quiet", "-o"]
    capsys.readouterr()
    assert main([*more, "set.jsonl"]) == 2
    accept, update = (part for part in capsys.readouterr().err.replace("; ", ": ").split(": ") if "synth " in part)
    assert accept == "synth annotate accept set.jsonl --corpus docs -o set.accepted.jsonl"
    assert update == "synth update set.accepted.jsonl --corpus docs -n 4 -o set.accepted.jsonl"
    assert main(accept.split()[1:]) == 0
    capsys.readouterr()
    assert main([*more, "set.accepted.jsonl"]) == 2
    assert update in capsys.readouterr().err
    assert main(update.split()[1:]) == 10
    assert len(read_samples(home / "set.accepted.jsonl").samples) == 4


@pytest.mark.parametrize("options", [[], ["-n", "4"], ["--dry-run"]])
def test_update_says_that_decisions_are_not_taken_in(home, capsys, options):
    command = ["update", "set.jsonl", "--corpus", "docs", "-o", "new.jsonl", "--quiet", *options]
    assert main(command) in FINE
    assert "not applied yet" not in capsys.readouterr().err
    decide(home / "set.jsonl", REJECTED)
    assert main(["annotate", "accept", "set.jsonl", "-o", "good.jsonl"]) == 0
    capsys.readouterr()
    assert main([*command, "--force"]) in FINE
    said = capsys.readouterr().err
    assert "decisions on 3 rows of set.jsonl are not applied yet" in said
    assert "synth annotate accept set.jsonl --corpus docs -o set.accepted.jsonl\n" in said
    assert main(["update", "good.jsonl", *command[2:], "--force"]) in FINE
    assert "not applied yet" not in capsys.readouterr().err
