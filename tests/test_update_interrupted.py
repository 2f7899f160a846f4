"""An update that is stopped, anywhere: the old set is whole or the new one is, and the next run finishes."""

import contextlib
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from synth.cli.main import main
from synth.testset.stored_manifest import manifest_of
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
        shared = ["--corpus", str(corpus), "--llm", "m", "--base-url", server.url]
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


NAMES = ("testset.jsonl", "rejected.jsonl", "retired.jsonl", "manifest.json")


def contents(output):
    return {name: path.read_bytes() for name in NAMES if (path := output.with_name(name)).exists()}


@pytest.mark.parametrize("call", range(12))
def test_stopped_at_any_step_of_the_swap_all_its_files_are_old_or_all_are_new(changed, monkeypatch, call):
    output, arguments, _, wanted = changed
    old, steps = contents(output), []

    class Killed(BaseException):
        """The process is gone: nothing runs afterwards."""

    def counted(function):
        def step(*given, **named):
            steps.append(function.__name__)
            if len(steps) > call:
                raise Killed
            return function(*given, **named)

        return step

    with monkeypatch.context() as patch:
        for name in ("link", "replace", "fsync"):
            patch.setattr(os, name, counted(getattr(os, name)))
        patch.setattr(Path, "unlink", lambda *_, **__: None)
        with contextlib.suppress(Killed):
            main([*arguments, "--quiet"])
    assert len(steps) > call
    is_new = output.with_name(".testset.jsonl.swap").exists()
    assert is_new or contents(output) == old
    manifest_of(output)  # whoever opens the set finishes the swap
    assert (output.read_bytes() == wanted) is is_new
    after = contents(output)
    assert main([*arguments, "--quiet"]) == (0 if is_new else 10)
    assert output.read_bytes() == wanted
    assert not is_new or contents(output) == after
    history = json.loads(output.with_name("manifest.json").read_text(encoding="utf-8"))["history"]
    assert [version["number"] for version in history] == [1, 2]
    retired = output.with_name("retired.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(retired) == len(set(retired)) == 4
