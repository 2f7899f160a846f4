"""An update that is stopped, anywhere: the old set is whole or the new one is, and the next run finishes."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from synth.cli.main import main
from synth.workflows import update_execution
from tests.chat import behave, stations
from tests.llm.server import ChatServer
from tests.test_chat_run import killed_at

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a set whose corpus has changed, what is asked of it, and the bytes that come out undisturbed."""
    home, server = tmp_path_factory.mktemp("made"), ChatServer(behave)
    corpus = stations(home / "corpus")
    shared = ["--base-url", server.url, "--workspace", str(home / "ws")]
    output = home / "old" / "testset.jsonl"
    (home / "synth.toml").write_text("n = 14\n[filters]\nduplicate = { paraphrase = 0 }\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "none")
        assert (
            main(
                [
                    "generate",
                    str(corpus),
                    "-o",
                    str(output),
                    "--config",
                    str(home / "synth.toml"),
                    "--llm",
                    "m",
                    *shared,
                    "--quiet",
                ]
            )
            == 0
        )
        for line in output.read_text(encoding="utf-8").splitlines()[:4]:
            path = corpus / json.loads(line)["evidence"][0]["doc_id"]
            path.write_text("# Closed\n\nNothing to see. 没有了。\n", encoding="utf-8")
        aside = home / "aside" / "testset.jsonl"
        shared = ["--corpus", str(corpus), "--base-url", server.url]
        other = ["--workspace", str(home / "other"), "--quiet"]
        assert main(["update", str(output), "-o", str(aside), *shared, *other]) == 10
    yield home / "old", [*shared, "--workspace", str(home / "ws")], aside.read_bytes()
    server.close()


@pytest.fixture
def changed(made, tmp_path, monkeypatch):
    """A copy of the set, the command that updates it, and its bytes before and after."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    folder, options, wanted = made
    shutil.copytree(folder, tmp_path / "set")
    output = tmp_path / "set" / "testset.jsonl"
    return output, ["update", str(output), "-o", str(output), *options], output.read_bytes(), wanted


def test_a_kill_leaves_the_old_set_whole_and_the_next_run_finishes(changed):
    output, arguments, before, wanted = changed
    command = [sys.executable, "-m", "synth", *arguments, "--concurrency", "1"]
    assert killed_at(command, dict(os.environ), 4) == -signal.SIGKILL
    assert output.read_bytes() == before
    assert main([*arguments, "--quiet"]) == 10
    assert output.read_bytes() == wanted
    assert main([*arguments, "--quiet"]) == 0


@pytest.mark.parametrize("stop", ["retired.jsonl", "testset.jsonl", "manifest.json"])
def test_stopped_before_any_of_its_files_is_written(changed, monkeypatch, stop):
    output, arguments, before, wanted = changed
    write = update_execution.write_atomic

    def stopped(path, text):
        if path.name == stop:
            raise KeyboardInterrupt
        write(path, text)

    monkeypatch.setattr(update_execution, "write_atomic", stopped)
    assert main([*arguments, "--quiet"]) == 130
    assert output.read_bytes() == (wanted if stop == "manifest.json" else before)
    monkeypatch.setattr(update_execution, "write_atomic", write)
    assert main([*arguments, "--quiet"]) in (0, 10)
    assert output.read_bytes() == wanted
    history = json.loads(output.with_name("manifest.json").read_text(encoding="utf-8"))["history"]
    assert [version["number"] for version in history] == [1, 2]
    assert history[1]["parent"] == history[0]["hash"]
    retired = output.with_name("retired.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(retired) == len(set(retired)) == 4
