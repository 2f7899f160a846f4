"""The files beside a set come with it: none of them is a way out of its folder, a device, or a pipe that waits."""

import json
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from synth.annotation.decisions import Decisions
from synth.annotation.records import Annotation
from synth.cli.main import main
from synth.core.errors import InputError
from synth.core.input_files import open_input
from synth.core.jsonl import read_samples
from synth.core.swapping import settle
from tests.chat import stations

READ_BY = {
    "set.manifest.json": ("update", "verify", "log", "diff", "rejudge", "accept", "generate"),
    "set.rejected.jsonl": ("rejudge", "accept"),
    "set.annotations.sqlite": ("update", "accept", "generate"),
    "set.retired.jsonl": ("update",),
    ".set.jsonl.swap": ("update", "verify", "log", "diff", "rejudge", "accept", "show", "score", "export", "evaluate"),
}
WRITTEN_BY = ("update", "rejudge", "adopt", "accept")
WRITTEN = ("new.manifest.json", "new.rejected.jsonl")
COMMANDS = {
    "update": "update SET --corpus DOCS -o NEW --without-model",
    "verify": "verify SET --corpus DOCS",
    "log": "log SET",
    "diff": "diff SET SET",
    "rejudge": "rejudge SET --corpus DOCS -o NEW",
    "accept": "annotate accept SET -o NEW --with-unreviewed",
    "generate": "generate DOCS -o SET -n 2",
    "adopt": "adopt SET --corpus DOCS -o NEW",
    "show": "show SET",
    "score": "score SET --corpus DOCS",
    "export": "export SET --to csv -o OUT",
    "evaluate": "evaluate SET RESPONSES -o OUT",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A set and its documents, which have changed since."""
    place = tmp_path_factory.mktemp("made")
    command = ["generate", str(stations(place / "docs")), "-o", str(place / "set.jsonl"), "-n", "3", "--quiet"]
    assert main([*command, "--workspace", str(place / "ws")]) == 0
    samples = read_samples(place / "set.jsonl").samples
    lines = [json.dumps({"id": sample.id, "answer": "Yes."}) + "\n" for sample in samples]
    (place / "responses.jsonl").write_text("".join(lines), encoding="utf-8")
    (place / "set.retired.jsonl").write_text("", encoding="utf-8")
    with Decisions(place / "set.annotations.sqlite"):
        pass
    oak = place / "docs" / "oak.md"
    oak.write_text(oak.read_text(encoding="utf-8").replace("1908", "1938"), encoding="utf-8")
    return place


@pytest.fixture
def home(made, tmp_path, monkeypatch):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    return Path(shutil.copytree(made, tmp_path / "home"))


def run(name, home):
    words = {"SET": "set.jsonl", "NEW": "new.jsonl", "OUT": "out.csv", "DOCS": "docs", "RESPONSES": "responses.jsonl"}
    command = [str(home / words[word]) if word in words else word for word in COMMANDS[name].split()]
    return main([*command, *(["--quiet"] if name != "accept" else [])])


CASES = [(name, command) for name, commands in READ_BY.items() for command in commands]


@pytest.mark.parametrize(("name", "command"), CASES)
def test_a_file_of_a_set_that_is_a_link_out_of_its_folder_is_not_read(home, tmp_path, capsys, name, command):
    there, outside = home / name, tmp_path / "outside"
    (shutil.copy(there, outside) if there.exists() else outside.write_text("[]", encoding="utf-8"))
    before = outside.read_bytes()
    there.unlink(missing_ok=True)
    there.symlink_to(outside)
    assert run(command, home) == 2
    assert "leads out of its folder" in capsys.readouterr().err
    assert outside.read_bytes() == before


@pytest.mark.parametrize(("name", "command"), CASES)
def test_a_pipe_in_the_place_of_a_file_of_a_set_is_refused_at_once(home, capsys, name, command):
    (home / name).unlink(missing_ok=True)
    os.mkfifo(home / name)
    assert run(command, home) == 2
    assert "a pipe, but synth expects a file of the set there" in capsys.readouterr().err


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("command", WRITTEN_BY)
def test_nothing_is_written_through_a_link_beside_the_output(home, tmp_path, capsys, command, name):
    (home / name).symlink_to(tmp_path / "outside")
    assert run(command, home) == 2
    assert "leads out of its folder" in capsys.readouterr().err
    assert not (tmp_path / "outside").exists()


def test_the_named_path_and_links_within_the_folder_are_followed(home, tmp_path, capsys):
    (home / "set.manifest.json").rename(home / "real.json")
    (home / "set.manifest.json").symlink_to("real.json")
    assert run("log", home) == 0
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "named.jsonl").symlink_to(home / "set.jsonl")
    assert main(["show", str(tmp_path / "other" / "named.jsonl")]) == 0


def test_a_journal_removes_nothing_through_a_link(tmp_path):
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    (home / "link").symlink_to(tmp_path / "mine")
    for entry in (["link", ""], ["set.jsonl\0", ""]):
        (home / ".set.jsonl.swap").write_text(json.dumps([entry]), encoding="utf-8")
        with pytest.raises(InputError, match="is not a journal written by synth"):
            settle(home / "set.jsonl")
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"


def test_a_pipe_that_is_written_to_is_read_and_another_one_refused(home, capsys):
    pipe = home / "pipe.jsonl"
    os.mkfifo(pipe)
    assert main(["show", str(pipe)]) == 2
    assert "a pipe without a writer" in capsys.readouterr().err
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # so that the writer need not wait to be opened
    writer = os.open(pipe, os.O_WRONLY)
    os.close(reader)
    text = (home / "set.jsonl").read_bytes() * 500

    def write():
        with os.fdopen(writer, "wb") as file:
            file.write(text)

    thread = threading.Thread(target=write)
    with open_input(pipe) as file:
        thread.start()
        assert file.read() == text
    thread.join()
    for device in ("/dev/zero", "/dev/null", str(home)):
        assert main(["show", device]) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW orders_too AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON decisions BEGIN DELETE FROM decisions; END",
        "DROP INDEX by_row; CREATE INDEX by_row ON decisions (hex(zeroblob(5)))",
    ],
)
def test_a_log_of_decisions_has_no_code(home, capsys, statement):
    with sqlite3.connect(home / "set.annotations.sqlite") as database:
        database.executescript(statement)
    assert run("accept", home) == 2
    assert "which synth does not write" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("column", "value"),
    [("golden_answers", "{"), ("ratings", '{"a": []}'), ("comment", b"\xff"), ("golden_answers", "[5]")],
)
def test_a_decision_that_synth_did_not_write_is_named(home, capsys, column, value):
    with Decisions(home / "set.annotations.sqlite") as decisions:
        decisions.add(Annotation(sample_id="a", sample_hash="b", annotator="c", decision="accept"), "review")
    with sqlite3.connect(home / "set.annotations.sqlite") as database:
        database.execute(f"UPDATE decisions SET {column} = ?", (value,))
    assert run("accept", home) == 2
    assert "decision 1 of the log" in capsys.readouterr().err
