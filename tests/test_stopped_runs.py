"""A run that is stopped, by whatever: the set that was there stays as it was, and what is said of it is true."""

import errno
import itertools
import json
import os
import shutil
import signal

import pytest

from synth.annotation.decisions import Decisions, store_path
from synth.annotation.records import annotation_of
from synth.cli.main import main
from synth.core.jsonl import read_samples
from synth.models.chat import retries
from tests.chat import behave, stations
from tests.llm.server import ChatServer, Status

NAMES = ("testset.jsonl", "rejected.jsonl", "manifest.json")
SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}
ENDS = {"INT": 130, "TERM": 130, "HUP": 130, "budget": 9, "402": 9, "500": 9, "disk": 2}
SAYS = {
    "INT": "interrupted",
    "TERM": "interrupted",
    "HUP": "interrupted",
    "budget": "budget",
    "402": "the endpoint was lost",
    "500": "the endpoint was lost",
    "disk": "No space left",
}


def contents(folder, names=NAMES):
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return stations(tmp_path_factory.mktemp("stopped") / "corpus")


@pytest.fixture(scope="module")
def made(tmp_path_factory, corpus):
    """A folder with a finished set of eight rows and its workspace, the address of a server, and how it behaves."""
    way = {"stop": "", "after": 0, "since": itertools.count(1)}

    def reply(body, number):
        stop = way["stop"]
        if not stop or next(way["since"]) <= way["after"]:
            return behave(body, number)
        if stop in SIGNALS:
            os.kill(os.getpid(), SIGNALS[stop])
        return Status(int(stop), "it went wrong") if stop.isdigit() else behave(body, number)

    home, server = tmp_path_factory.mktemp("made"), ChatServer(reply)
    told = [str(corpus), "-o", str(home / "out" / "testset.jsonl"), "-n", "8", "--types", "simple=1", "--llm", "m"]
    told += ["--base-url", server.url]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "none")
        assert main(["generate", *told, "--workspace", str(home / "ws"), "--quiet"]) == 0
    yield home, server.url, way
    server.close()


@pytest.fixture
def stoppable(made, tmp_path, corpus, monkeypatch):
    """A finished set of eight rows, and a function that runs a command which is stopped in a way, or "" for none."""
    home, url, way = made
    for name in ("out", "ws"):
        shutil.copytree(home / name, tmp_path / name)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setattr(retries.Retries, "pause", lambda *_: 0.0)
    output = tmp_path / "out" / "testset.jsonl"

    def run(verb, *options, stop="", after=6):
        way.update(stop=stop, after=after, since=itertools.count(1))
        told = (
            [str(corpus), "--types", "simple=1"]
            if verb == "generate"
            else [str(output), "--corpus", str(tmp_path / "changed")]
        )
        told = [verb, *told, "-o", str(output), "--base-url", url, "--workspace", str(tmp_path / "ws"), "--quiet"]
        told += [
            "--llm",
            "m",
            "--concurrency",
            "1",
            *options,
            *(["--max-calls", str(after)] if stop == "budget" else []),
        ]
        if stop != "disk":
            return main(told)
        with monkeypatch.context() as patch:

            def full(*_):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            patch.setattr(os, "fsync", full)
            return main(told)

    yield output, run
    way["stop"] = ""


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("stop", ENDS)
def test_generate_leaves_a_finished_set_and_writes_its_part_beside(stoppable, capsys, stop, force):
    output, run = stoppable
    before = contents(output.parent)
    told = ["-n", "12", "--seed", "1", *(["--force"] if force else [])]
    capsys.readouterr()
    assert run("generate", *told, stop=stop) == ENDS[stop]
    said = capsys.readouterr().err
    assert SAYS[stop] in said
    assert contents(output.parent) == before
    partial = output.with_name("testset.partial.jsonl")
    if stop == "disk":
        assert not partial.exists()
    else:
        assert f"{output} was not changed, and the new rows are in {partial}" in said
        rows = len(read_samples(partial).samples)
        assert f"{rows} of 12 rows made" in said
        assert json.loads(partial.with_name("testset.partial.manifest.json").read_text(encoding="utf-8"))["set"][
            "stopped"
        ]
    assert run("generate", *told) == 0
    assert len(read_samples(output).samples) == 12
    assert not list(output.parent.glob("*partial*"))


@pytest.mark.parametrize("stop", ENDS)
def test_update_leaves_the_old_set(stoppable, tmp_path, corpus, capsys, stop):
    output, run = stoppable
    changed = tmp_path / "changed"
    changed.mkdir()
    lost = {sample.evidence[0].doc_id for sample in read_samples(output).samples[:3]}
    for path in corpus.iterdir():
        text = "# Closed\n\nNothing to see. 没有了。\n" if path.name in lost else path.read_text(encoding="utf-8")
        (changed / path.name).write_text(text, encoding="utf-8")
    before = contents(output.parent, (*NAMES, "retired.jsonl"))
    capsys.readouterr()
    assert run("update", stop=stop, after=1) == ENDS[stop]
    said = capsys.readouterr().err
    assert SAYS[stop] in said
    assert "no more rows" not in said
    if stop != "disk":
        assert f"{output} was not changed" in said
    assert contents(output.parent, (*NAMES, "retired.jsonl")) == before
    assert run("update") == 10
    assert len(read_samples(output).samples) == 8


def test_the_part_of_a_set_is_replaced_by_a_larger_part_and_by_no_smaller_one(stoppable):
    output, run = stoppable
    for path in list(output.parent.iterdir()):
        path.unlink()
    assert run("generate", "-n", "12", "--seed", "3", stop="budget", after=19) == 9
    first = len(read_samples(output).samples)
    assert 0 < first < 12
    assert run("generate", "-n", "12", "--seed", "4", stop="budget", after=1) == 9
    assert len(read_samples(output).samples) == first
    assert output.with_name("testset.partial.jsonl").exists()
    assert run("generate", "-n", "12", "--seed", "3", stop="budget", after=2) == 9
    assert len(read_samples(output).samples) >= first


def test_fewer_rows_than_there_are_replace_them_only_with_force(stoppable, tmp_path, capsys):
    output, _ = stoppable
    small = tmp_path / "small"
    small.mkdir()
    name = read_samples(output).samples[0].evidence[0].doc_id
    (small / name).write_text("# Line\n\nThe Alder station opened in 1900. It has a roof of glass.\n", encoding="utf-8")
    before = contents(output.parent)
    told = ["generate", str(small), "-o", str(output), "-n", "8", "--workspace", str(tmp_path / "ws"), "--quiet"]
    capsys.readouterr()
    assert main(told) == 5
    assert contents(output.parent) == before
    said = capsys.readouterr().err
    assert "testset.partial.jsonl" in said
    assert "--force" in said
    assert main([*told, "--force"]) == 5
    assert len(read_samples(output).samples) < 8


def decide(output, decision, count):
    with Decisions(store_path(output)) as decisions:
        for number, sample in enumerate(read_samples(output).samples[:count]):
            given = {"decision": decision, "reason": "other" if decision == "reject" else ""}
            if decision == "edit":
                given["question"] = f"{sample.question} (edited {number})"
            decisions.add(annotation_of(sample, "ann", given, "a test"), "review")


@pytest.mark.parametrize("decision", ["accept", "edit", "reject"])
def test_a_reviewed_set_is_replaced_only_with_force_which_keeps_its_decisions_usable(
    stoppable, tmp_path, capsys, decision
):
    output, run = stoppable
    decide(output, decision, 5)
    before = contents(output.parent)
    capsys.readouterr()
    assert run("generate", "-n", "8", "--seed", "1") == 2
    said = capsys.readouterr().err
    assert "5 decisions" in said
    assert "--force" in said
    assert contents(output.parent) == before
    assert run("generate", "-n", "1", "--seed", "5", "--force") == 0
    copy = output.with_name("testset.reviewed.jsonl")
    assert copy.read_bytes() == before["testset.jsonl"]
    kept = tmp_path / "kept.jsonl"
    accepting = ["annotate", "accept", str(copy), "-o", str(kept), "--quiet"]
    if decision == "reject":
        assert main(accepting) == 2, "nothing is left"
    else:
        assert main(accepting) == 0
        assert len(read_samples(kept).samples) == 5
    assert output.read_bytes() != before["testset.jsonl"]


def test_a_skipped_row_is_no_review(stoppable):
    output, run = stoppable
    decide(output, "skip", 5)
    assert run("generate", "-n", "8", "--seed", "1") == 0


def test_other_commands_replace_no_reviewed_set(stoppable, tmp_path, corpus, capsys):
    output, _ = stoppable
    other = tmp_path / "other" / "testset.jsonl"
    shared = ["--workspace", str(tmp_path / "ws"), "--quiet"]
    assert main(["generate", str(corpus), "-o", str(other), "-n", "2", *shared]) == 0
    decide(output, "accept", 5)
    before = contents(output.parent)
    for told in (
        ["adopt", str(other), "--corpus", str(corpus), "-o", str(output), *shared],
        ["update", str(other), "--corpus", str(corpus), "-o", str(output), *shared],
        ["rejudge", str(other), "--corpus", str(corpus), "-o", str(output), *shared],
        ["annotate", "accept", str(other), "--with-unreviewed", "-o", str(output), "--quiet"],
    ):
        capsys.readouterr()
        assert main(told) == 2, told
        assert "people" in capsys.readouterr().err
        assert contents(output.parent) == before


def test_update_drops_no_row_on_which_people_decided(stoppable, tmp_path, corpus):
    output, run = stoppable
    changed = tmp_path / "changed"
    changed.mkdir()
    decide(output, "accept", 2)
    reviewed = {sample.id for sample in read_samples(output).samples[:2]}
    lost = {sample.evidence[0].doc_id for sample in read_samples(output).samples[:3]}
    for path in corpus.iterdir():
        text = "# Closed\n\nNothing to see. 没有了。\n" if path.name in lost else path.read_text(encoding="utf-8")
        (changed / path.name).write_text(text, encoding="utf-8")
    assert run("update") == 11
    rows = {sample.id: sample for sample in read_samples(output).samples}
    assert reviewed <= set(rows)
    assert all("review" in rows[name].metadata for name in reviewed)
