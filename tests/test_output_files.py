"""Where nothing can be written is found out before anything is read or paid, and no home folder is no obstacle."""

import json
import os
from pathlib import Path

import pytest

from synth.cli.main import main
from synth.core.errors import ConfigError
from synth.core.output_files import check_output
from synth.core.user_cache import user_cache
from synth.workflows.api import generate

ROW = {
    "id": "q-1", "question": "How tall?", "golden_answers": ["5 m"], "evidence": [], "metadata": {"question_type": "simple"},
}  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nIt is 5 m tall.\n", encoding="utf-8")
    (tmp_path / "set.jsonl").write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    (tmp_path / "answers.jsonl").write_text('{"id": "q-1", "answer": "5 m"}\n', encoding="utf-8")
    return tmp_path


COMMANDS = [
    "generate docs -o", "adopt set.jsonl --corpus docs -o", "update set.jsonl --corpus docs -o",
    "rejudge set.jsonl --corpus docs -o", "annotate accept set.jsonl -o", "annotate guideline set.jsonl -o",
    "evaluate set.jsonl answers.jsonl -o", "evaluate set.jsonl answers.jsonl --html",
    "evaluate set.jsonl answers.jsonl --csv", "evaluate set.jsonl answers.jsonl --junit",
    "evaluate set.jsonl answers.jsonl --markdown", "export set.jsonl --to ragas -o", "score set.jsonl -o",
    "score set.jsonl --html", "run docs set.jsonl -o", "sweep docs set.jsonl -o", "graph export docs -o",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", [".", "/", "..", "folder", "folder/", "set.jsonl/x.jsonl"])
def test_a_name_that_is_no_place_for_a_file_is_refused_first(here, capsys, command, name):
    before = sorted(here.rglob("*"))
    assert main([*command.split(), name]) == 2
    err = capsys.readouterr().err
    assert err.startswith("synth: ")
    assert "folder; name a file in it" in err or "cannot write set.jsonl/x.jsonl" in err
    assert len(err.splitlines()) == 1
    assert sorted(here.rglob("*")) == before


def test_a_folder_without_rights_or_room_is_refused(here, monkeypatch):
    def refused(**_):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as held:
        held.setattr("synth.core.output_files.tempfile.TemporaryFile", refused)
        with pytest.raises(ConfigError, match=r"no file can be created in .*: Permission denied"):
            check_output(here / "x.jsonl")
    full = type("Usage", (), {"free": 10})
    monkeypatch.setattr("synth.core.output_files.shutil.disk_usage", lambda _: full)
    with pytest.raises(ConfigError, match="only 10 bytes are free"):
        check_output(here / "new" / "x.jsonl")


def test_in_python_the_output_comes_first_too(here):
    with pytest.raises(ConfigError, match="is a folder"):
        generate(["nowhere"], here)


def test_without_a_home_folder_the_cache_is_among_the_temporary_files(here, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("synth.core.user_cache.tempfile.gettempdir", lambda: str(here))

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    folder = user_cache()
    assert folder == here / f"synth-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    with pytest.raises(ConfigError, match=r"is open to others; name a folder with --workspace"):
        user_cache()
    folder.rmdir()
    folder.symlink_to(here / "docs")
    with pytest.raises(ConfigError, match="is open to others"):
        user_cache()


@pytest.mark.parametrize(
    "command", ["score set.jsonl", "evaluate set.jsonl answers.jsonl", "adopt set.jsonl --corpus docs -o new.jsonl"]
)
def test_commands_work_without_a_home_folder(here, monkeypatch, command, capsys):
    for name in ("XDG_CACHE_HOME", "HOME", "SYNTH_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("synth.core.user_cache.tempfile.gettempdir", lambda: str(here))
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert main(command.split()) in (0, 5)
    assert "Traceback" not in capsys.readouterr().err
