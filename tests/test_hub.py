"""Sets at the Hugging Face hub: sent by export, read by name, against a hub on loopback."""

import json

import pytest

from synth.cli.main import main
from synth.core.jsonl import write_rows
from synth.testset.dataset import Dataset
from synth.testset.hub import located
from tests.exporters.sets import set_folder
from tests.hub import DatasetHub


@pytest.fixture
def hub(tmp_path, monkeypatch):
    server = DatasetHub()
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    monkeypatch.setenv("HF_TOKEN", server.token)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    yield server
    server.close()


@pytest.fixture
def here(tmp_path, monkeypatch):
    return set_folder(tmp_path, monkeypatch)


def export(*arguments):
    return main(["export", "set.jsonl", "--to", "huggingface", *arguments, "--quiet"])


def test_a_set_that_was_sent_is_read_by_name(here, hub, capsys):
    assert export("--push", "me/pumps", "--corpus", "docs", "-o", "out") == 0
    said = "".join(capsys.readouterr())
    assert f"3 rows and 3 passages for Hugging Face datasets in out and {hub.url}/datasets/me/pumps" in said
    sent = hub.repositories["me/pumps"]
    assert {str(path.relative_to(here / "out")): path.read_bytes() for path in (here / "out").rglob("*.*")} == sent
    assert sent["testset.jsonl"] == (here / "set.jsonl").read_bytes()
    assert b"# out" in sent["README.md"]

    name = "hf://datasets/me/pumps"
    assert [item.row() for item in Dataset.load(name)] == [item.row() for item in Dataset.load("set.jsonl")]
    assert main(["show", name, "-n", "1"]) == 0
    rows = [json.loads(line) for line in sent["testset.jsonl"].splitlines()]
    write_rows(here / "answers.jsonl", [{"id": row["id"], "answer": row["golden_answers"][0]} for row in rows])
    assert main(["evaluate", f"{name}@main", "answers.jsonl", "--csv", "scores.csv", "--quiet"]) == 0
    assert len((here / "scores.csv").read_text(encoding="utf-8").splitlines()) == 4
    assert main(["score", f"{name}/testset.jsonl", "--quiet"]) == 0
    said += "".join(capsys.readouterr())
    assert hub.token not in said
    written = [path for path in here.rglob("*") if path.is_file() and hub.token.encode() in path.read_bytes()]
    assert written == []


def test_a_new_repository_is_private_unless_it_is_to_be_public(here, hub, capsys):
    assert export("--push", "me/a") == 0
    capsys.readouterr()
    assert export("--push", "me/b", "--public", "--json") == 0
    assert json.loads(capsys.readouterr().out)["address"] == f"{hub.url}/datasets/me/b"
    assert [created["visibility"] for created in hub.created] == ["private", "public"]
    assert b"# a" in hub.repositories["me/a"]["README.md"]
    assert export("--push", "me/a") == 0, "a repository that is there is written to"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["export", "set.jsonl", "--to", "ragas", "--push", "me/a"], "the format ragas cannot be uploaded to a service"),
        (["export", "set.jsonl", "--to", "huggingface", "--push", "a"], "the name of a repository on the hub must have the form OWNER/NAME, was 'a'"),
        (["show", "hf://me/a"], "the address of a set on the hub must have the form hf://datasets/OWNER/NAME/FILE, was hf://me/a"),
        (["show", "hf://datasets/me/nothing"], "hf://datasets/me/nothing cannot be read on the hub: no such"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_line(here, hub, capsys, command, says):
    assert main(command) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


@pytest.mark.parametrize(
    "command", [["show", "hf://datasets/me/a"], ["export", "set.jsonl", "--to", "huggingface", "--push", "me/a"]]
)
def test_another_token_is_refused_and_not_shown(here, hub, monkeypatch, capsys, command):
    monkeypatch.setenv("HF_TOKEN", "hf_another-secret")
    assert main(command) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()[-1:]
    assert line.endswith("the hub refused the token; set HF_TOKEN to a valid token")
    assert hub.repositories == {}


def test_without_a_network_the_error_is_one_line(here, hub, monkeypatch, capsys):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert main(["show", "hf://datasets/me/a"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("synth: hf://datasets/me/a cannot be read on the hub: ")
    assert hub.asked == []


def test_a_path_is_left_as_it_is(tmp_path):
    assert located(tmp_path / "set.jsonl") == tmp_path / "set.jsonl"
